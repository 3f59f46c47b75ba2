"""Other provers beside this one, from where their authors have them."""
