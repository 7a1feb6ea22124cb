"""Italian phrases."""

from reviews.seeding.phrases.texts import Mood, Phrases

ITALIAN = Phrases(
    praise=Mood(
        titles=("Un soggiorno meraviglioso", "Torneremo", "Ancora meglio del previsto", "Tutto perfetto"),
        openings=(
            "Abbiamo passato qui tre notti e non volevamo più ripartire.",
            "Ci siamo sentiti accolti fin dal primo minuto.",
            "Era la nostra seconda visita, bella come la prima.",
            "Alcuni amici ci avevano consigliato questo albergo, e avevano ragione.",
        ),
        middles=(
            "La camera era pulitissima, tranquilla e più grande del previsto.",
            "A colazione c’erano pane fresco, un buon caffè e tanta frutta.",
            "Alla reception conoscevano i nostri nomi e i migliori ristoranti della città.",
            "Il letto era così comodo che non abbiamo sentito la sveglia.",
            "Quando il nostro treno ha fatto ritardo, ci hanno tenuto in caldo la cena.",
            "In città si raggiunge tutto a piedi.",
        ),
        endings=(
            "Grazie a tutto lo staff!",
            "Abbiamo già prenotato per l’anno prossimo.",
            "Lo consigliamo a chi cerca tranquillità.",
            "Ottimo rapporto qualità-prezzo.",
        ),
        replies=(
            "Grazie di cuore per le vostre gentili parole. Le abbiamo trasmesse a tutto lo staff e vi aspettiamo "
            "presto.",
            "Che bello leggere che siete stati bene da noi! La vostra camera vi aspetta.",
        ),
    ),
    mixed=Mood(
        titles=(
            "Bene, ma si può migliorare",
            "Bel posto, piccoli difetti",
            "Un albergo discreto",
            "Niente di speciale",
        ),
        openings=(
            "Il nostro soggiorno è andato bene, niente di più.",
            "Siamo ripartiti con impressioni contrastanti.",
            "Alcune cose erano ottime, altre meno.",
            "Per due notti andava bene.",
        ),
        middles=(
            "Il personale era gentile, ma la sera non bastava.",
            "La camera era pulita, ma i mobili hanno visto giorni migliori.",
            "La colazione era buona, ma abbiamo dovuto aspettare un tavolo.",
            "La posizione è ottima, ma la strada è rumorosa al mattino.",
            "La doccia era quasi sempre calda.",
            "Il Wi-Fi funzionava nella hall, ma a malapena in camera.",
        ),
        endings=(
            "Forse torneremmo, se costasse meno.",
            "Per un breve soggiorno può bastare.",
            "Con un po’ più di cura potrebbe essere un ottimo albergo.",
            "Nel complesso, tre stelle.",
        ),
        replies=(
            "Grazie per la vostra recensione sincera. I complimenti ci fanno piacere, e del resto abbiamo parlato con "
            "lo staff.",
            "Grazie per averci scritto. La prossima volta vorremmo mostrarvi che sappiamo fare meglio.",
        ),
    ),
    complaint=Mood(
        titles=("Molto deludente", "Mai più", "Non vale il prezzo", "Vecchio e rumoroso"),
        openings=(
            "Aspettavamo con gioia questo soggiorno, ma è andato male fin dall’inizio.",
            "Purtroppo non possiamo consigliare questo albergo.",
            "Siamo ripartiti un giorno prima del previsto.",
            "Le foto hanno poco a che vedere con quello che abbiamo trovato.",
        ),
        middles=(
            "La camera è stata pronta solo alle sei di sera.",
            "La moquette era macchiata e in bagno c’era odore di umidità.",
            "Il riscaldamento non funzionava e nessuno è venuto a ripararlo.",
            "Dalla camera accanto si sentiva ogni parola.",
            "A colazione, alle nove, non c’era più una tazza pulita.",
            "Quando ci siamo lamentati, alla reception hanno alzato le spalle.",
        ),
        endings=(
            "Non torneremo.",
            "A questo prezzo ci aspettavamo molto di più.",
            "Per favore, fate qualcosa.",
            "Aspettiamo ancora una risposta alla nostra e-mail.",
        ),
        replies=(
            "Ci dispiace molto che il vostro soggiorno sia stato così deludente. Scriveteci, per favore, così potremo "
            "rimediare.",
            "Vi chiediamo scusa. Non è così che vogliamo accogliere i nostri ospiti, e siamo intervenuti subito.",
        ),
    ),
)
