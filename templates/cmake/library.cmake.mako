# Generated from templates/${view.template}; not to be edited.
set(LIBRARY_NAME ${view.name})
set(LIBRARY_VERSION ${view.version_numbers})
set(LIBRARY_WHEEL_VERSION ${view.version})
set(LIBRARY_ABI_VERSION ${view.abi_version})
% if view.extends:
set(EXTENDED_LIBRARY ${view.extends})
% endif
% for group in view.groups:

set(SOURCES_${group.name}
% for path in group.paths:
  ${path}
% endfor
)
% endfor
