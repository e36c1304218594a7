"""torch.hub: the folder of downloaded files, and those that are in it. Nothing is downloaded."""

from __future__ import annotations

import os
import re
from urllib.parse import urlparse as urlparse

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any, NoReturn

try:
    from tqdm import tqdm as tqdm  # type: ignore[import-untyped,unused-ignore]
except ImportError:

    def tqdm(iterable: Any = None, **options: Any) -> Any:  # type: ignore[no-redef,unused-ignore]
        """Returns what it is given: the package tqdm isn't installed, so that no progress is shown."""
        return iterable


HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")
_folder: str | None = None


def _get_torch_home() -> str:
    cache = os.getenv("XDG_CACHE_HOME", os.path.join("~", ".cache"))
    return os.path.expanduser(os.getenv("TORCH_HOME", os.path.join(cache, "torch")))


def get_dir() -> str:
    """The folder of set_dir(); at first `hub` in TORCH_HOME, which is ~/.cache/torch unless it is set."""
    return _folder if _folder is not None else os.path.join(_get_torch_home(), "hub")


def set_dir(d: str | os.PathLike[str]) -> None:
    """Makes `d` the folder of files."""
    global _folder
    _folder = os.path.expanduser(d)


def load_state_dict_from_url(
    url: str,
    model_dir: str | None = None,
    map_location: Any = None,
    progress: bool = True,
    check_hash: bool = False,
    file_name: str | None = None,
    weights_only: bool = False,
) -> Any:
    """Loads the file of a URL from the folder `checkpoints` in get_dir(), or from `model_dir`.

    FileNotFoundError if it is not there, with the place where it is expected.
    """
    from ._files import load

    folder = model_dir if model_dir is not None else os.path.join(get_dir(), "checkpoints")
    place = os.path.join(folder, file_name or os.path.basename(urlparse(url).path))
    if not os.path.exists(place):
        raise FileNotFoundError(
            f"torch.hub.load_state_dict_from_url: nothing is downloaded here. Save {url} as {place}"
        )
    return load(place, map_location)


def download_url_to_file(
    url: str, dst: str, hash_prefix: str | None = None, progress: bool = True
) -> NoReturn:
    """NotImplementedError: nothing is downloaded here."""
    raise NotImplementedError(
        f"torch.hub.download_url_to_file: nothing is downloaded here. Save {url} as {dst}"
    )
