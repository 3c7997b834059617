"""Sport mahjong by 81 fans: what a hand is worth, who pays whom, and how the game goes on. [MCR]"""
