"""The drawing of the playing cards: shapes, figures, and the sprite that holds them."""
