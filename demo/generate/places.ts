import type { Venue } from '../types.ts'

// Invented venues in real towns, so that addresses geocode to the right place.
export const venues = {
  poppodium: venue('Poppodium De Loods', 'Havenkade 12', '3311 GH', 'Dordrecht'),
  poppodiumCafe: venue('Café De Loods', 'Havenkade 14', '3311 GH', 'Dordrecht'),
  market: venue('Grote Markt', 'Grote Markt 1', '8011 LW', 'Zwolle'),
  townKitchen: venue('Stadskeuken Zwolle', 'Melkmarkt 41', '8011 MB', 'Zwolle'),
  harbourHouse: venue('Het Havenhuis', 'Thorbeckegracht 7', '8011 VL', 'Zwolle'),
  library: venue('Bibliotheek Neude', 'Neude 11', '3512 AE', 'Utrecht'),
  libraryWest: venue('Wijkbibliotheek Kanaleneiland', 'Al-Masoedilaan 182', '3526 GM', 'Utrecht'),
  festivalHall: venue('Zaal Zuid', 'Boschdijk 230', '5612 HG', 'Eindhoven'),
  festivalYard: venue('Het Ketelhuisplein', 'Ketelhuisplein 1', '5617 AE', 'Eindhoven'),
  theatre: venue('Schouwburg De Spiegel', 'Spinhuisplein 14', '8911 BK', 'Leeuwarden'),
  theatreSmall: venue('De Spiegel Kleine Zaal', 'Spinhuisplein 16', '8911 BK', 'Leeuwarden'),
  brewery: venue('Brouwcafé Het Anker', 'Nieuwe Rijn 88', '2312 JK', 'Leiden'),
  sportsHall: venue('Sporthal De Meent', 'Meentweg 30', '1213 ZK', 'Hilversum'),
  communityCentre: venue('Wijkcentrum De Koepel', 'Kapelstraat 65', '1223 HA', 'Hilversum'),
  townHall: venue('Gemeentehuis', 'Markt 1', '7311 LG', 'Apeldoorn'),
  park: venue('Oranjepark', 'Oranjepark 2', '7311 CN', 'Apeldoorn'),
  visitorCentre: venue('Bezoekerscentrum Hoog Buurlo', 'Hoog Buurlo 12', '7346 AB', 'Apeldoorn'),
  swimmingPool: venue('Zwembad De Sprengen', 'Sportlaan 20', '7312 TV', 'Apeldoorn'),
  gameHall: venue('Speelhal Noord', 'Buiksloterweg 5', '1031 CC', 'Amsterdam'),
  makerSpace: venue('Maakplaats 020', 'Pekplein 9', '1031 GB', 'Amsterdam'),
  estate: venue('Landgoed De Eik', 'Eikenlaan 3', '6721 XA', 'Bennekom'),
  churchHall: venue('De Oude Kerkzaal', 'Kerkplein 6', '1811 JA', 'Alkmaar'),
  club: venue('Club Parallel', 'Stationsplein 33', '3013 AJ', 'Rotterdam'),
  studio: venue('Atelier De Werf', 'Scheepmakersdijk 18', '2011 AS', 'Haarlem'),
  canalHall: venue('The Canal Hall', '24 Wharf Street', 'LS2 7EQ', 'Leeds', 'GB'),
  oldChapel: venue('The Old Chapel', '3 Chapel Lane', 'LS6 3BT', 'Leeds', 'GB'),
} as const satisfies Record<string, Venue>

function venue(
  name: string,
  street: string,
  postalCode: string,
  city: string,
  country = 'NL',
): Venue {
  return { name, street, postalCode, city, country }
}
