import type { Language } from '../types.ts'

/** Closing paragraphs with context, as every newsroom keeps them at hand. */
export const backgrounds: Record<Language, readonly string[]> = {
  nl: [
    'Het onderwerp houdt de streek al langer bezig. Drie jaar geleden strandde een eerder plan op geldgebrek, en vorig voorjaar leverde een inspraakavond meer vragen dan antwoorden op. Sindsdien werd er vooral achter de schermen overlegd.',
    'Wie de geschiedenis kent, ziet een patroon. Telkens wanneer er schot in een zaak leek te komen, kwam er een verkiezing, een hoogwaterwinter of een zieke wethouder tussen. Deze keer lijken de kansen gunstiger.',
    'Cijfers van het planbureau laten zien dat het gebied de afgelopen tien jaar met zes procent is gegroeid. Vooral gezinnen uit de Randstad vonden er een huis, al blijven jongeren uit de dorpen zelf vaak met lege handen achter.',
    'In vergelijkbare gemeenten wordt met belangstelling gekeken naar wat hier gebeurt. Een delegatie uit Zeeland kwam deze maand al op werkbezoek en nam een dikke map met aantekeningen mee naar huis.',
    'De komende weken volgen nog enkele praktische stappen. Daarna wordt de balans opgemaakt, waarbij ook de kosten nog eens tegen het licht worden gehouden. Een definitief oordeel laat daarom nog even op zich wachten.',
    'Op sociale media liepen de reacties uiteen. Waar de een spreekt van een doorbraak, vraagt de ander zich af waarom het zo lang moest duren. Een peiling onder lezers van deze krant leverde een nipte meerderheid van voorstanders op.',
    'Achter het nieuws gaat een lange aanloop schuil, met vergaderingen in kantines, een handvol rapporten en minstens één kapot kopieerapparaat. De mappen die daarbij ontstonden, vullen inmiddels een hele kast in het oude raadhuis.',
    'Toch blijft er werk over. Zo ontbreekt nog een regeling voor het onderhoud op lange termijn, en is niet duidelijk wie er opdraait voor onvoorziene tegenvallers. Daarover wordt na de jaarwisseling verder gesproken.',
  ],
  en: [
    'The question has occupied the valley for years. An earlier attempt failed for want of money, and a public meeting last spring produced more heat than light. Since then most of the talking has been done behind closed doors.',
    'Similar schemes elsewhere have had mixed results. In Calderdale the idea was dropped after a single winter, whereas a village near Skipton now regards it as indispensable and has started to charge for guided visits.',
    'Official figures put the population of the district six per cent higher than a decade ago. Newcomers tend to be younger, and they bring expectations that the older institutions were never designed to meet.',
    'Several practical matters remain to be settled over the coming weeks. After that the accounts will be examined once more, so a final verdict may have to wait until the evenings grow lighter.',
    'Reaction online has been divided. For every reader who called it a breakthrough there was another who wondered why it had taken so long, and a third who wanted to talk about the car park.',
    'Behind the announcement lies a long series of meetings in canteens and back rooms, a handful of reports and at least one broken photocopier. The resulting folders fill a cupboard in the old institute.',
  ],
}
