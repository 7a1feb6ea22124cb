"""French phrases."""

from reviews.seeding.phrases.texts import Mood, Phrases

FRENCH = Phrases(
    praise=Mood(
        titles=("Un séjour merveilleux", "Nous reviendrons", "Encore mieux qu’espéré", "Tout était parfait"),
        openings=(
            "Nous avons passé trois nuits ici et nous ne voulions plus partir.",
            "Dès la première minute, nous nous sommes sentis les bienvenus.",
            "C’était notre deuxième visite, aussi agréable que la première.",
            "Des amis nous avaient recommandé cet hôtel, et ils avaient raison.",
        ),
        middles=(
            "La chambre était impeccable, calme et plus grande que prévu.",
            "Au petit-déjeuner, il y avait du pain frais, du bon café et beaucoup de fruits.",
            "À la réception, on connaissait nos noms et les meilleures tables de la ville.",
            "Le lit était si confortable que nous n’avons pas entendu le réveil.",
            "Quand notre train a eu du retard, on nous a gardé le dîner au chaud.",
            "En ville, tout se fait à pied.",
        ),
        endings=(
            "Merci à toute l’équipe\u00a0!",
            "Nous avons déjà réservé pour l’année prochaine.",
            "Nous le recommandons à tous ceux qui cherchent le calme.",
            "Excellent rapport qualité-prix.",
        ),
        replies=(
            "Merci beaucoup pour vos mots si aimables. Nous les avons transmis à toute l’équipe et nous nous "
            "réjouissons de vous revoir.",
            "Quel plaisir de lire que vous avez aimé votre séjour\u00a0! Votre chambre vous attend.",
        ),
    ),
    mixed=Mood(
        titles=("Bien, mais peut mieux faire", "Bel endroit, quelques défauts", "Un hôtel correct", "Sans plus"),
        openings=(
            "Notre séjour s’est bien passé, sans plus.",
            "Nous sommes partagés.",
            "Certaines choses étaient très bien, d’autres moins.",
            "Pour deux nuits, c’était correct.",
        ),
        middles=(
            "Le personnel était aimable, mais trop peu nombreux le soir.",
            "La chambre était propre, mais les meubles ont connu des jours meilleurs.",
            "Le petit-déjeuner était bon, mais il a fallu attendre une table.",
            "L’emplacement est excellent, mais la rue est bruyante le matin.",
            "La douche était chaude la plupart du temps.",
            "Le Wi-Fi fonctionnait dans le hall, mais à peine dans notre chambre.",
        ),
        endings=(
            "Nous reviendrions peut-être si le prix était plus bas.",
            "Pour un court séjour, cela suffit.",
            "Avec un peu plus de soin, ce pourrait être un très bon hôtel.",
            "Au total, trois étoiles.",
        ),
        replies=(
            "Merci pour votre avis sincère. Vos compliments nous font plaisir, et nous avons parlé du reste avec "
            "l’équipe.",
            "Merci d’avoir pris le temps de nous écrire. La prochaine fois, nous aimerions vous montrer que nous "
            "pouvons faire mieux.",
        ),
    ),
    complaint=Mood(
        titles=("Très décevant", "Plus jamais", "Beaucoup trop cher", "Vieillot et bruyant"),
        openings=(
            "Nous nous réjouissions de ce séjour, mais tout s’est mal passé dès le début.",
            "Malheureusement, nous ne pouvons pas recommander cet hôtel.",
            "Nous sommes partis un jour plus tôt que prévu.",
            "Les photos n’ont pas grand-chose à voir avec ce que nous avons trouvé.",
        ),
        middles=(
            "La chambre n’a été prête qu’à dix-huit heures.",
            "La moquette était tachée, et la salle de bains sentait l’humidité.",
            "Le chauffage ne marchait pas, et personne n’est venu le réparer.",
            "On entendait chaque mot de la chambre voisine.",
            "Au petit-déjeuner, à neuf heures, il n’y avait plus une seule tasse propre.",
            "Quand nous nous sommes plaints, on a haussé les épaules à la réception.",
        ),
        endings=(
            "Nous ne reviendrons pas.",
            "À ce prix, nous attendions bien mieux.",
            "Faites quelque chose, s’il vous plaît.",
            "Nous attendons toujours une réponse à notre courriel.",
        ),
        replies=(
            "Nous sommes vraiment désolés que votre séjour vous ait déçus. Écrivez-nous, s’il vous plaît, afin que "
            "nous puissions nous rattraper.",
            "Nous vous présentons nos excuses. Ce n’est pas ainsi que nous voulons recevoir nos hôtes, et nous avons "
            "aussitôt fait le nécessaire.",
        ),
    ),
)
