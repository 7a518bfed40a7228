import type { Category, Language } from '../types.ts'

/** Second sentences for descriptions, so that an event's text has the length it has on real sites. */
export const followUps: Record<Language, Partial<Record<Category, readonly string[]>>> = {
  nl: {
    music: [
      'De zaal gaat een half uur voor aanvang open en de garderobe is bij de prijs inbegrepen.',
      'Na het optreden staat de band nog een tijdje achter de tafel met platen en shirts.',
      'Zitplaatsen zijn beperkt; wie graag vooraan staat, komt op tijd.',
      'Er is die avond geen pauze, wel een bar die open blijft tot sluitingstijd.',
    ],
    entertainment: [
      'De voorstelling duurt ongeveer anderhalf uur zonder pauze, laatkomers wachten op een stil moment.',
      'Na afloop is er een nagesprek in de foyer waar iedereen mag aanschuiven.',
      'Kaarten die niet zijn opgehaald, gaan een kwartier voor aanvang terug in de verkoop.',
    ],
    family: [
      'Ouders kunnen erbij blijven of in de tussentijd koffie drinken in de hal.',
      'Kinderwagens mogen naast de ingang staan en er is een rustige hoek voor wie even op adem wil komen.',
      'Voor iedere deelnemer ligt een kleine verrassing klaar, zolang de voorraad strekt.',
    ],
    workshops: [
      'Er is plaats voor twaalf deelnemers, dus vooraf aanmelden is verstandig.',
      'Ervaring is niet nodig en alle benodigdheden liggen klaar op tafel.',
      'Na afloop gaat er een korte handleiding mee naar huis om thuis verder te kunnen.',
    ],
    foodie: [
      'Laat bij de reservering weten of er rekening moet worden gehouden met een allergie.',
      'De keuken werkt met leveranciers uit de omgeving en kookt ook vegetarisch.',
      'Een glas water en brood staan steeds op tafel, de rest wordt per ronde geserveerd.',
    ],
    gaming: [
      'Beginners krijgen uitleg van vrijwilligers en niemand hoeft alleen aan een tafel te zitten.',
      'Aanmelden kan tot een uur van tevoren, daarna wordt het speelschema gemaakt.',
      'Voor de winnaars is er een prijs die vooral bedoeld is om mee op te scheppen.',
    ],
    social: [
      'Alleen komen is heel gewoon, bij de deur staat iemand die je wegwijs maakt.',
      'Het eerste drankje is van het huis en daarna wijst de avond zichzelf.',
      'Wie iets wil voorbereiden, vindt de vragen van tevoren in de nieuwsbrief.',
    ],
    community: [
      'De toegang is gratis en het gebouw is goed bereikbaar met een rolstoel.',
      'Vragen kunnen ter plaatse worden gesteld of vooraf worden ingestuurd.',
      'Er staat koffie klaar en na afloop is er tijd om met elkaar na te praten.',
    ],
    outdoors: [
      'Trek stevige schoenen aan, want het pad kan na regen behoorlijk drassig zijn.',
      'Honden kunnen deze keer niet mee vanwege de rust in het gebied.',
      'Bij code oranje gaat de tocht niet door en krijgen deelnemers bericht.',
    ],
    active: [
      'Douches en kleedkamers zijn aanwezig, een handdoek neemt iedereen zelf mee.',
      'Meedoen kan op elk niveau en een keer proberen verplicht tot niets.',
      'De inschrijving sluit twee dagen van tevoren om de groepen te kunnen maken.',
    ],
  },
  en: {
    music: [
      'Doors open half an hour before the start and the bar stays open late.',
      'Seating is limited, so come early if you would rather not stand.',
    ],
    entertainment: [
      'The evening lasts about ninety minutes without an interval.',
      'Returned tickets go on sale at the desk fifteen minutes before curtain up.',
    ],
    social: ['Coming on your own is perfectly normal and somebody will greet you at the door.'],
    workshops: [
      'All materials are included and no experience is needed.',
      'Places are limited to twelve, so book ahead if you can.',
    ],
  },
}
