"""German phrases."""

from reviews.seeding.phrases.texts import Mood, Phrases

GERMAN = Phrases(
    praise=Mood(
        titles=("Ein wunderbarer Aufenthalt", "Wir kommen wieder", "Noch besser als erhofft", "Rundum zufrieden"),
        openings=(
            "Wir waren drei Nächte hier und wollten gar nicht mehr abreisen.",
            "Vom ersten Moment an haben wir uns willkommen gefühlt.",
            "Das war unser zweiter Besuch, und er war so schön wie der erste.",
            "Freunde hatten uns dieses Hotel empfohlen, und sie hatten recht.",
        ),
        middles=(
            "Das Zimmer war blitzsauber, ruhig und größer als erwartet.",
            "Zum Frühstück gab es frisches Brot, guten Kaffee und viel Obst.",
            "An der Rezeption kannte man unsere Namen und die besten Lokale der Stadt.",
            "Das Bett war so bequem, dass wir zweimal verschlafen haben.",
            "Als unser Zug Verspätung hatte, hielt man uns das Abendessen warm.",
            "In der Stadt ist alles zu Fuß zu erreichen.",
        ),
        endings=(
            "Vielen Dank an das ganze Team!",
            "Für nächstes Jahr haben wir schon gebucht.",
            "Wir empfehlen das Hotel allen, die Ruhe suchen.",
            "Das Preis-Leistungs-Verhältnis ist ausgezeichnet.",
        ),
        replies=(
            "Herzlichen Dank für Ihre freundlichen Worte! Wir haben sie an das ganze Team weitergegeben und freuen uns "
            "auf Ihren nächsten Besuch.",
            "Wie schön, dass Sie sich bei uns wohlgefühlt haben! Ihr Zimmer wartet schon auf Sie.",
        ),
    ),
    mixed=Mood(
        titles=("Gut, aber ausbaufähig", "Schönes Haus mit kleinen Mängeln", "Ganz in Ordnung", "Nichts Besonderes"),
        openings=(
            "Unser Aufenthalt war in Ordnung, aber nicht mehr.",
            "Wir sind mit gemischten Gefühlen abgereist.",
            "Manches war sehr gut, anderes leider nicht.",
            "Für zwei Nächte war es in Ordnung.",
        ),
        middles=(
            "Das Personal war freundlich, abends aber zu knapp besetzt.",
            "Das Zimmer war sauber, doch die Möbel haben schon bessere Tage gesehen.",
            "Das Frühstück war gut, nur mussten wir auf einen Tisch warten.",
            "Die Lage ist hervorragend, die Straße aber morgens laut.",
            "Die Dusche war meistens warm.",
            "Das WLAN funktionierte in der Lobby, im Zimmer dagegen kaum.",
        ),
        endings=(
            "Bei einem günstigeren Preis kämen wir vielleicht wieder.",
            "Für einen kurzen Aufenthalt reicht es.",
            "Mit etwas mehr Sorgfalt könnte es ein sehr gutes Hotel sein.",
            "Alles in allem drei Sterne.",
        ),
        replies=(
            "Vielen Dank für Ihre ehrliche Bewertung. Wir freuen uns über das Lob und haben über den Rest mit dem Team "
            "gesprochen.",
            "Danke, dass Sie sich die Zeit genommen haben. Beim nächsten Mal möchten wir Ihnen zeigen, dass wir es "
            "besser können.",
        ),
    ),
    complaint=Mood(
        titles=("Sehr enttäuschend", "Nie wieder", "Den Preis nicht wert", "In die Jahre gekommen und laut"),
        openings=(
            "Wir hatten uns auf diesen Aufenthalt gefreut, doch es ging von Anfang an schief.",
            "Leider können wir dieses Hotel nicht empfehlen.",
            "Wir sind einen Tag früher abgereist als geplant.",
            "Die Fotos haben wenig mit dem zu tun, was wir vorgefunden haben.",
        ),
        middles=(
            "Das Zimmer war erst um sechs Uhr abends fertig.",
            "Der Teppich hatte Flecken, und im Bad roch es feucht.",
            "Die Heizung funktionierte nicht, und niemand kam, um sie zu reparieren.",
            "Aus dem Nebenzimmer war jedes Wort zu hören.",
            "Beim Frühstück gab es um neun Uhr keine saubere Tasse mehr.",
            "Als wir uns beschwerten, zuckte man an der Rezeption nur mit den Schultern.",
        ),
        endings=(
            "Wir kommen nicht wieder.",
            "Für diesen Preis hatten wir viel mehr erwartet.",
            "Bitte kümmern Sie sich darum.",
            "Auf unsere E-Mail haben wir bis heute keine Antwort bekommen.",
        ),
        replies=(
            "Es tut uns sehr leid, dass Ihr Aufenthalt so enttäuschend war. Bitte schreiben Sie uns, damit wir es "
            "wiedergutmachen können.",
            "Wir bitten Sie um Entschuldigung. So möchten wir unsere Gäste nicht empfangen, und wir sind der Sache "
            "sofort nachgegangen.",
        ),
    ),
)
