"""One match at one table: the rules, the hand log and the scorepad."""
