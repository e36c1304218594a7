<%def name="function(f)">\
% if f.overloaded:
@overload
% endif
% if not f.summary:
def ${f.name}(${f.params}) -> ${f.returns}: ...
% else:
def ${f.name}(${f.params}) -> ${f.returns}:
% if not f.details:
    """${f.summary}"""
% else:
    """${f.summary}
% for line in f.details:
% if not line:

% else:
    ${line}
% endif
% endfor
    """
% endif
% endif
</%def>\
<%def name="method(f)">\
% if f.overloaded:
    @overload
% endif
% if not f.summary:
    def ${f.name}(${f.params}) -> ${f.returns}: ...
% else:
    def ${f.name}(${f.params}) -> ${f.returns}:
% if not f.details:
        """${f.summary}"""
% else:
        """${f.summary}
% for line in f.details:
% if not line:

% else:
        ${line}
% endif
% endfor
        """
% endif
% endif
</%def>\
