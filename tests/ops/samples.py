"""All sample rows: what each operator is called with, and what NumPy says of it."""

from __future__ import annotations

from rows import Row
from samples_activation import ACTIVATION_ROWS
from samples_aliases import ALIAS_ROWS
from samples_attention import ATTENTION_ROWS
from samples_batch_norm import BATCH_NORM_ROWS
from samples_convolution import CONVOLUTION_ROWS
from samples_dims import DIM_ROWS
from samples_distance import DISTANCE_ROWS
from samples_elementwise import ELEMENTWISE_ROWS
from samples_embedding_bag import EMBEDDING_BAG_ROWS
from samples_factories import FACTORY_ROWS
from samples_fft import FFT_ROWS
from samples_gated import GATED_ROWS
from samples_gradients import GRADIENT_ROWS
from samples_grid import GRID_ROWS
from samples_indexing import INDEXING_ROWS
from samples_losses import LOSS_ROWS
from samples_margin_losses import MARGIN_LOSS_ROWS
from samples_matrix import MATRIX_ROWS
from samples_min_max import MIN_MAX_ROWS
from samples_norms import NORM_ROWS
from samples_padding import PADDING_ROWS
from samples_pair_losses import PAIR_LOSS_ROWS
from samples_pointwise import POINTWISE_ROWS
from samples_pooling import POOLING_ROWS
from samples_products import PRODUCT_ROWS
from samples_random import RANDOM_ROWS
from samples_rearrangement import REARRANGEMENT_ROWS
from samples_reduce import REDUCE_ROWS
from samples_scans import SCAN_ROWS
from samples_scatter import SCATTER_ROWS
from samples_similarity import SIMILARITY_ROWS
from samples_upsample import UPSAMPLE_ROWS
from samples_views import VIEW_ROWS

ROWS: tuple[Row, ...] = (
    *POINTWISE_ROWS,
    *ACTIVATION_ROWS,
    *ELEMENTWISE_ROWS,
    *ALIAS_ROWS,
    *GATED_ROWS,
    *REDUCE_ROWS,
    *MATRIX_ROWS,
    *PRODUCT_ROWS,
    *ATTENTION_ROWS,
    *CONVOLUTION_ROWS,
    *INDEXING_ROWS,
    *GRADIENT_ROWS,
    *BATCH_NORM_ROWS,
    *NORM_ROWS,
    *EMBEDDING_BAG_ROWS,
    *LOSS_ROWS,
    *PAIR_LOSS_ROWS,
    *MARGIN_LOSS_ROWS,
    *SIMILARITY_ROWS,
    *SCATTER_ROWS,
    *DIM_ROWS,
    *FACTORY_ROWS,
    *VIEW_ROWS,
    *RANDOM_ROWS,
    *MIN_MAX_ROWS,
    *DISTANCE_ROWS,
    *FFT_ROWS,
    *POOLING_ROWS,
    *SCAN_ROWS,
    *REARRANGEMENT_ROWS,
    *PADDING_ROWS,
    *UPSAMPLE_ROWS,
    *GRID_ROWS,
)
