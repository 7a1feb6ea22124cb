"""Spanish phrases."""

from reviews.seeding.phrases.texts import Mood, Phrases

SPANISH = Phrases(
    praise=Mood(
        titles=("Una estancia maravillosa", "Volveremos", "Mejor de lo que esperábamos", "Todo perfecto"),
        openings=(
            "Pasamos aquí tres noches y no queríamos irnos.",
            "Desde el primer minuto nos sentimos bienvenidos.",
            "Era nuestra segunda visita, y fue tan buena como la primera.",
            "Unos amigos nos recomendaron este hotel, y tenían razón.",
        ),
        middles=(
            "La habitación era tranquila, más grande de lo esperado y estaba impecable.",
            "En el desayuno había pan recién hecho, buen café y mucha fruta.",
            "En recepción conocían nuestros nombres y los mejores restaurantes de la ciudad.",
            "La cama era tan cómoda que no oímos el despertador.",
            "Cuando nuestro tren se retrasó, nos guardaron la cena caliente.",
            "En la ciudad se llega a pie a todas partes.",
        ),
        endings=(
            "¡Gracias a todo el equipo!",
            "Ya hemos reservado para el año que viene.",
            "Lo recomendamos a quienes buscan tranquilidad.",
            "Muy buena relación calidad-precio.",
        ),
        replies=(
            "Muchas gracias por sus amables palabras. Las hemos transmitido a todo el equipo y esperamos verles pronto "
            "de nuevo.",
            "¡Qué alegría leer que disfrutaron de su estancia! Su habitación les espera.",
        ),
    ),
    mixed=Mood(
        titles=("Bien, pero mejorable", "Bonito, con pequeños defectos", "Un hotel correcto", "Nada especial"),
        openings=(
            "Nuestra estancia estuvo bien, sin más.",
            "Nos fuimos con sentimientos encontrados.",
            "Algunas cosas estaban muy bien, otras no tanto.",
            "Para dos noches estuvo bien.",
        ),
        middles=(
            "El personal era amable, pero por la noche había muy pocos empleados.",
            "La habitación estaba limpia, aunque los muebles han visto días mejores.",
            "El desayuno era bueno, pero tuvimos que esperar mesa.",
            "La ubicación es excelente, pero la calle es ruidosa por la mañana.",
            "El agua de la ducha salía caliente casi siempre.",
            "El wifi funcionaba en el vestíbulo, pero apenas en la habitación.",
        ),
        endings=(
            "Quizá volveríamos si fuera más barato.",
            "Para una estancia corta es suficiente.",
            "Con un poco más de cuidado podría ser un hotel muy bueno.",
            "En conjunto, tres estrellas.",
        ),
        replies=(
            "Gracias por su opinión sincera. Nos alegra lo que les gustó, y del resto hemos hablado con el equipo.",
            "Gracias por tomarse el tiempo de escribirnos. La próxima vez nos gustaría demostrarles que podemos "
            "hacerlo mejor.",
        ),
    ),
    complaint=Mood(
        titles=("Muy decepcionante", "Nunca más", "No vale lo que cuesta", "Anticuado y ruidoso"),
        openings=(
            "Esperábamos esta estancia con ilusión, pero salió mal desde el principio.",
            "Lamentablemente no podemos recomendar este hotel.",
            "Nos fuimos un día antes de lo previsto.",
            "Las fotos tienen poco que ver con lo que encontramos.",
        ),
        middles=(
            "La habitación no estuvo lista hasta las seis de la tarde.",
            "La moqueta tenía manchas y el baño olía a humedad.",
            "La calefacción no funcionaba y nadie vino a arreglarla.",
            "Se oía cada palabra de la habitación de al lado.",
            "En el desayuno, a las nueve, ya no quedaba ni una taza limpia.",
            "Cuando nos quejamos, en recepción se encogieron de hombros.",
        ),
        endings=(
            "No volveremos.",
            "Por este precio esperábamos mucho más.",
            "Por favor, hagan algo.",
            "Seguimos esperando respuesta a nuestro correo.",
        ),
        replies=(
            "Sentimos mucho que su estancia fuera tan decepcionante. Escríbannos, por favor, para que podamos "
            "compensarles.",
            "Les pedimos disculpas. No es así como queremos recibir a nuestros huéspedes, y nos hemos ocupado de ello "
            "de inmediato.",
        ),
    ),
)
