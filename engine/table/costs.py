"""What being wrong costs, in seconds of waiting; and the thresholds on a posterior that keep that cost least."""

FALSE_ALERT = 40.0
"""An innocent person is accused: the worst there is."""
WRONG_EVENT = 10.0
"""Something is told that did not happen, and accuses nobody: it is put right later."""
MISSED_FAULT = 3.0
"""A fault is passed over."""
QUESTION, DELAY = 1.0, 1.0
"""Somebody is asked; what happened is told a second later."""

TOLD = 1 - DELAY / WRONG_EVENT
"""From here on an event is told: waiting would cost more than a wrong event."""
ACCUSED = 1 - MISSED_FAULT / FALSE_ALERT
"""From here on somebody is accused: a missed fault would cost more than a false alert."""
SURE = 1 - DELAY / FALSE_ALERT
"""From here on an event may take part in a proof, or replace what was told."""
WORTH_ASKING = QUESTION / FALSE_ALERT
"""From here on another possibility is worth a question."""
OPEN = 0.075
"""Above this mean ambiguity nobody is accused: the table cannot be followed. The ambiguity of a still period is the
root of the weight that its likeliest hypothesis leaves to others (counted: of 33 planted faults in a house none had
more than 0.062; an honest play that was accused in 48 evenings of the harshest simulated mess had 0.081)."""
OPEN_PERIODS = 100.0
"""Still periods that the mean is taken over, some two deals: at first none is taken to have left anything open."""
