"""What being wrong costs, in seconds of waiting; and from which share on something is told, told otherwise, or held
against somebody, so that nothing else costs less."""

FALSE_ALERT = 40.0
"""An innocent person is accused: the worst there is."""
WRONG_EVENT = 10.0
"""Something is told that did not happen, and accuses nobody: it is put right later."""
MISSED_FAULT = 3.0
"""A fault is passed over."""
QUESTION, DELAY = 1.0, 1.0
"""Somebody is asked; what happened is told a second later."""

TOLD = 1 - DELAY / WRONG_EVENT
"""Waiting costs more than the event may be wrong."""
ACCUSED = 1 - MISSED_FAULT / FALSE_ALERT
"""Passing over costs more than the alert may be wrong."""
SURE = 1 - DELAY / FALSE_ALERT
"""Waiting costs more even if the event takes part in a proof, or contradicts what was told."""
ASKED = QUESTION / FALSE_ALERT
"""From here on what may have happened is worth a question."""
OPEN = 0.075
"""And nobody is accused at a table where the root of what the likeliest hypothesis leaves open, on the mean of its
still periods, is as much as this: it cannot be followed (counted: of 33 planted faults in a house none had more than
0.062; an honest play that was accused in 48 evenings of the harshest simulated mess had 0.081);"""
OPEN_PERIODS = 100.0
"""on the mean of so many still periods, of which at first none is taken to have left anything open: some two deals."""
LIES_BEFORE = 1.0
"""Log-odds from which a card clearly lies before whose hand it was, and not before whose turn it was."""
