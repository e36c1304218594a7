${view.text}
