"""English phrases."""

from reviews.seeding.phrases.texts import Mood, Phrases

ENGLISH = Phrases(
    praise=Mood(
        titles=("A wonderful stay", "We will be back", "Even better than we had hoped", "Everything was just right"),
        openings=(
            "We spent three nights here and did not want to leave.",
            "From the first minute we felt welcome.",
            "This was our second visit, and it was as good as the first.",
            "Friends had recommended this hotel to us, and they were right.",
        ),
        middles=(
            "The room was spotless, quiet and larger than we had expected.",
            "Breakfast had fresh bread, good coffee and plenty of fruit.",
            "The people at reception knew our names and the best places for dinner.",
            "The bed was so comfortable that we overslept twice.",
            "When our train was late, they kept dinner warm for us.",
            "Everything in town is within walking distance.",
        ),
        endings=(
            "Thank you to the whole team!",
            "We have already booked for next year.",
            "We recommend it to everybody who is looking for a quiet place.",
            "Excellent value for money.",
        ),
        replies=(
            "Thank you very much for your kind words. We have passed them on to the whole team and look forward to "
            "your next visit.",
            "How nice to read that you enjoyed your stay! Your room will be waiting for you.",
        ),
    ),
    mixed=Mood(
        titles=("Good, but could be better", "A nice place with small flaws", "A decent hotel", "Nothing special"),
        openings=(
            "Our stay was all right, but no more than that.",
            "We left with mixed feelings.",
            "Some things were very good, others were not.",
            "For two nights it was fine.",
        ),
        middles=(
            "The staff were friendly, but there were too few of them in the evening.",
            "The room was clean, although the furniture has seen better days.",
            "Breakfast was good, but we had to wait for a table.",
            "The location is excellent, but the street is noisy in the morning.",
            "The shower was warm most of the time.",
            "The Wi-Fi worked in the lobby, but hardly in our room.",
        ),
        endings=(
            "We might come back if the price were lower.",
            "For a short stay it will do.",
            "With a little more care it could be a very good hotel.",
            "All in all, three stars.",
        ),
        replies=(
            "Thank you for your honest review. We are glad about what you liked, and have talked about the rest with "
            "the team.",
            "Thank you for taking the time to write. Next time we would like to show you that we can do better.",
        ),
    ),
    complaint=Mood(
        titles=("Very disappointing", "Never again", "Not worth the price", "Shabby and loud"),
        openings=(
            "We had been looking forward to this stay, but it went wrong from the start.",
            "Unfortunately we cannot recommend this hotel.",
            "We left a day earlier than planned.",
            "The photos have little to do with what we found.",
        ),
        middles=(
            "The room was not ready until six in the evening.",
            "The carpet was stained, and the bathroom smelled of damp.",
            "The heating did not work, and nobody came to repair it.",
            "We could hear every word from the room next door.",
            "At breakfast there was no clean cup left at nine o'clock.",
            "When we complained, the person at reception just shrugged.",
        ),
        endings=(
            "We will not come back.",
            "At this price we had expected far more.",
            "Please do something about it.",
            "We are still waiting for an answer to our e-mail.",
        ),
        replies=(
            "We are very sorry that your stay was such a disappointment. Please write to us, so that we can make up "
            "for it.",
            "Please accept our apologies. This is not how we want to receive our guests, and we have looked into it at "
            "once.",
        ),
    ),
)
