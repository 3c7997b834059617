"""Siamese sport mahjong: three or two players, two hands each. [SIAM]"""
