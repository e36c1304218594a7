% for d in view.declarations:
${d.operator} ${d.place}
% endfor
