<%def name="banner(view)">\
// Generated from templates/${view.template}; not to be edited.
</%def>\
