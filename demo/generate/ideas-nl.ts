import type { Category } from '../types.ts'

// One idea per line: title | description. Every line is used by one site at most.
export const dutchIdeas: Record<Category, string> = {
  music: `
De Vuurvogels + Nachtwacht | Strakke postpunk uit Groningen, met een voorprogramma dat de zaal om half negen al in beweging zet.
Marlous Vreugde & Band | Liedjes over kleine steden en grote plannen, begeleid door strijkers en een contrabas.
Orkaan op Zolder | Drie broers, twee drumstellen en een debuutalbum dat live in zijn geheel voorbij komt.
Kwartet Zilverdraad | Kamerjazz met trompet, vibrafoon en een repertoire van Wayne Shorter tot eigen werk.
Basstoneel: drum 'n bass tot laat | Een lange clubnacht met vijf dj's en een geluidssysteem dat speciaal is ingehuurd.
The Paper Lanterns | Indiefolk uit Gent, met samenzang die op elk festival de tent stil krijgt.
Samba da Maré | Braziliaanse percussie met een blaassectie van twaalf koppen; dansen is de bedoeling.
Hendrik Noord zingt Brel | Een avond chanson in Nederlandse vertaling, met accordeon en vleugel.
Grijs Gebied | Instrumentale postrock met projecties van de fotograaf die ook de hoes maakte.
Koor Helder: winterconcert | Zestig zangers brengen werk van Poulenc, Rutter en twee nieuwe kerstliederen.
Lila Okoro | Soul uit Brussel, gezongen met een stem die geen versterking nodig heeft.
Metaalavond: Sloop, Roest en Ravijn | Drie bands, drie stromingen en oordoppen bij de ingang.
Fanfare De Eendracht speelt film | Bekende soundtracks, van western tot ruimteopera, in een bewerking voor fanfare.
Toonladders open podium | Iedereen mag vijftien minuten het podium op; inschrijven kan aan de bar.
Strijkkwartet Amber | Haydn, Sjostakovitsj en een wereldpremière van een jonge Friese componist.
Radio Tanger | Gnawa, rai en elektronica, gebracht door een zeskoppige band met gimbri.
De Stille Plaat: luistersessie | Een complete elpee zonder praten, op een installatie uit 1974.
Noorderlicht Bigband | Achttien blazers en een zangeres in het repertoire van Ellington en Basie.
Pia en de Piraten | Nederpop voor wie de teksten nog uit het hoofd kent.
Nachtorgel bij kaarslicht | Een uur orgelmuziek van Sweelinck tot Messiaen, met zitplaatsen in het koor.
Silo Sessies: Kobalt | Livetechno, volledig met de hand gespeeld op modulaire synthesizers.
Zeeuws Meisje akoestisch | Twee gitaren, een mondharmonica en verhalen van de kust.
Tromgeroffel: slagwerkfestival | Van marimba tot plastic emmers: een middag voor wie van ritme houdt.
Barokensemble La Serena | Concerti van Vivaldi en Telemann op historische instrumenten.
Dixie aan de kade | New-Orleansjazz met een wandelende blaaskapel.
Emmerich Trio | Piano, bas en drums uit Keulen, op tournee met hun vierde album.
Vinylmarkt met livemuziek van Sputnik | Bladeren door bakken elpees terwijl een surfband speelt.
Requiem van Fauré meezingen | Een dag repeteren, 's avonds uitvoeren; bladmuziek is inbegrepen.`,
  entertainment: `
Sjoerd Blok: Op de valreep | Cabaret over afscheid nemen van een huis, een auto en een vader.
De Verdwenen Koffer | Een detective op het toneel waarin het publiek de dader aanwijst.
Improvisatieduel Noord tegen Zuid | Twee ploegen verzinnen scènes op aanwijzing van de zaal.
Karin Alberts: Bijna Vijftig | Stand-upcomedy over overgang, pubers en een mislukte marathon.
Othello in de bokszaal | Shakespeare in anderhalf uur, gespeeld in en om een boksring.
Filmnacht: drie keer Kubrick | Drie films op groot doek, met ontbijt voor wie blijft zitten.
Goochelaar Max Fortuin: Dubbele bodem | Illusies van dichtbij, uitgelegd en daarna toch onbegrijpelijk.
Dansgezelschap Kantel: Getij | Moderne dans voor acht dansers en een halve ton zand.
De Grote Dictee-avond | Schrijven op het podium van het theater, met een prijs voor nul fouten.
Musicalklas speelt Anatevka | Veertig amateurs en een liveorkest in een klassieker.
Comedyclub: vijf nieuwe gezichten | Korte sets van vijf comedians die hun eerste avondvullende show schrijven.
Wim en Wendela: Het laatste rondje | Kleinkunst over een buurtcafé dat na negentig jaar sluit.
Stomme film met livepiano: Nosferatu | De klassieker uit 1922 met geïmproviseerde begeleiding.
Theater na de dam: De overkant | Een voorstelling gebaseerd op brieven uit het stadsarchief.
Circus Halfweg | Acrobatiek zonder dieren, met een trapeze boven de eerste rijen.
Bankgeheim, een zakelijk drama | Toneel over een fraudezaak die de stad jaren bezighield.
Dragshow Glitter en Glorie | Acht artiesten, twaalf kostuums en een juryprijs van het publiek.
Vertelavond: spookverhalen van de Veluwe | Drie vertellers en een haardvuur; niet geschikt voor bange mensen.`,
  family: `
Jip en de maanmuis | Poppentheater voor kinderen vanaf drie jaar, met napraten met de poppen.
Knutselmiddag lampionnen maken | Kinderen maken hun eigen lampion en lopen daarna mee in de optocht.
Sinterklaas komt aan in de haven | Intocht met stoomboot, muziek en pepernoten op de kade.
Kinderdisco met limonadebar | Dansen tot acht uur, met een dj van elf jaar oud.
Voorleesuur: De beer die niet slapen wilde | Een prentenboek op groot scherm, met geluiden die de kinderen zelf maken.
Proefjeslab voor jonge onderzoekers | Vulkanen, slijm en een elektrische aardappel, voor kinderen van zeven tot elf.
Familievoorstelling Kruimel | Een gebarentaalvoorstelling over een broodje dat de wijde wereld in wil.
Speurtocht door het museumdepot | Met een zaklamp langs voorwerpen die nooit in de zaal staan.
Poppenkast in de boomgaard | Ouderwets roepen en waarschuwen; neem een kleedje mee.
Babyconcert: luisteren op schoot | Een half uur cello en stem voor kinderen tot twee jaar.
Kindertheater Rietje Rafel | Een muzikale voorstelling over een vogelverschrikker met heimwee.
Bouwdag: de hoogste blokkentoren | Twintigduizend houten blokjes en één wereldrecord om te verslaan.
Opa- en omadag op de kinderboerderij | Geiten borstelen, brood bakken en oude spelletjes doen.
Speelgoedruilbeurs | Neem iets mee, neem iets anders mee terug; geld komt er niet aan te pas.
De Notenkraker voor kinderen | Het ballet in vijftig minuten, met uitleg en een dansles vooraf.
Slaapfeest tussen de boeken | Kinderen overnachten in de bibliotheek met een verhaal, een zaklamp en een ontbijt.`,
  workshops: `
Workshop linosnede voor beginners | In drie uur van schets naar afdruk, materiaal inbegrepen.
Leer brei-sokken zonder tranen | Een cursusmiddag over hielen, tenen en het tellen van steken.
Cursus mobiele fotografie | Betere foto's met de telefoon die je al hebt, met een wandeling als oefening.
Workshop keramiek draaien | Maximaal acht deelnemers achter de draaischijf; de stukken worden voor je gebakken.
Schrijfatelier korte verhalen | Zes opdrachten, één verhaal en eerlijke reacties van de groep.
Fiets repareren doe je zelf | Ketting, remmen en banden onder begeleiding van een fietsenmaker.
Workshop papierscheppen | Van oude kranten en bloemblaadjes naar eigen briefpapier.
Programmeren met micro:bit | Een middag bouwen aan een weerstation, geen ervaring nodig.
Boekbinden in één dag | Je gaat naar huis met een genaaid schrift en een linnen band.
Kalligrafie met brede pen | De basis van het gotische schrift, met ganzenveer als toegift.
Lassen voor beginners | Een halve dag met masker en handschoenen aan een eigen kandelaar.
Zelf een podcast maken | Van idee tot montage in twee avonden, apparatuur aanwezig.
Naailes: een jas vermaken | Voering, ritsen en zomen voor wie al een rechte naad kan stikken.
Workshop glas in lood | Snijden, solderen en kitten volgens oude techniek.
Digicafé: veilig online bankieren | Rustige uitleg over wachtwoorden en nepberichten, met oefenlaptops.
Aquarelleren in de kas | Botanisch tekenen tussen de planten, papier en verf liggen klaar.
Cursus insectenhotel timmeren | Zagen, boren en vullen; het hotel gaat mee naar huis.
Workshop stemexpressie | Ademen, klinken en durven, voor zangers en sprekers.`,
  foodie: `
Wijnproeverij: zes keer Jura | Een avond over oxidatieve wijnen, met kaas uit dezelfde streek.
Streekmarkt met vijftig boeren | Kaas, honing, brood en groente rechtstreeks van het land.
Pop-updiner Vergeten Groenten | Vijf gangen met schorseneren, pastinaak en aardpeer.
Brouwerijrondleiding met proeflokaal | Van mout tot glas, met vier bieren aan de lange tafel.
Kookworkshop Indonesische rijsttafel | Samen twaalf gerechten koken en daarna samen opeten.
Foodtruckfestival aan het water | Dertig keukens op wielen, livemuziek en een bar van de schippersvereniging.
Proeverij: cider van oude appelrassen | Acht flessen van drie makers, met uitleg over de boomgaarden.
Haringparty van de rederij | De eerste haring van het seizoen met korenwijn en een dweilorkest.
Soepcafé: eten wat over is | Een driegangenmenu van gered voedsel, betaal wat het je waard is.
Chocolade van boon tot reep | Malen, tempereren en proeven met een chocolademaker.
Bierfestival Hop en Haver | Twintig kleine brouwerijen schenken hun winterbieren.
Zuurdesem voor beginners: bakken en proeven | Een eigen starter mee naar huis en een warm brood onder de arm.
Midwinterdiner op de boerderij | Aan één tafel van veertig meter tussen de koeien.
Koffiecupping bij de brander | Zes origines blind proeven met een lepel en een notitieblok.
Whiskyavond: turf en zee | Zes eilandwhisky's met een verhaal bij elk glas.
Tapasroute langs tien keukens | Een wandeling met een hapje en een glas op elk adres.`,
  gaming: `
Bordspellenavond Kolonisten en verder | Meer dan tweehonderd spellen en uitleggers aan elke tafel.
Retro LAN-party Quake en Age of Empires | Neem je eigen pc mee of huur een plek met beeldbuis.
Gamequiz: de jaren negentig | Zes rondes over spelcomputers en helden van pixels, in teams van vijf.
Schaaktoernooi rapid voor iedereen | Zeven ronden Zwitsers, ook voor spelers zonder rating.
Dungeons & Dragons voor nieuwkomers | Een kort avontuur met voorgemaakte personages.
Flipperkasttoernooi | Veertien kasten, knock-out, en oefenen vanaf zeven uur.
E-sportcafé: finale op groot scherm | Commentaar, bitterballen en een minitoernooi in de pauze.
Warhammer schilder- en speeldag | Verf, kwasten en tafels vol landschap.
Escaperoom op straat | Een puzzeltocht met koffers vol sloten door de binnenstad.
Klaverjasmarathon | Van middag tot middernacht, met erwtensoep tussen de rondes.
Mario Kart-kampioenschap | Poules van vier en een finale op het filmdoek.
Gamejam: een spel in achtenveertig uur | Teams bouwen een spel rond een thema dat vrijdag bekend wordt.`,
  social: `
Taalcafé Nederlands oefenen | Aan tafels van vier praten over alledaagse dingen, met vrijwilligers.
Singlesborrel dertigers | Een avond met spelkaarten die het ijs breken.
Eettafel voor nieuwe buren | Iedereen neemt een gerecht mee uit de streek van herkomst.
Stamtafel voor zzp'ers | Lunch, vragen en opdrachten delen met zelfstandigen uit de buurt.
Leesclub: De avonden | Bespreking met een glas bessensap en een gastspreker.
Regenboogborrel | Ontmoetingsavond voor lhbti-jongeren en hun vrienden.
Ouderencafé met accordeon | Koffie met gebak, een praatje en tussendoor liedjes van vroeger.
Expats meet locals | Een avond kennismaken in zes talen met speeddatebel.
Koffieochtend aan de leestafel: jonge ouders | Kennismaken en bijpraten terwijl de kinderen spelen.
Breicafé De Losse Steek | Breien, haken en bijpraten met een wisselend project.
Filosofisch café: wat is genoeg? | Een gesprek onder leiding van een filosoof, zonder conclusie.
Studentenavond met karaoke | Zingen is verplicht, luisteren mag ook.`,
  community: `
Repair Café: weggooien is zonde | Vrijwilligers helpen met lampen, kleding en koffiezetapparaten.
Informatieavond nieuwbouw Zuidhoek | De gemeente toont de plannen en neemt vragen mee.
Raadsvergadering over de begroting | Openbare vergadering met inspreekrecht aan het begin.
Vrijwilligersmarkt | Zestig organisaties zoeken mensen met een paar uur per week.
Rommelmarkt op het kerkplein | Tweehonderd kramen, een springkussen en verse wafels.
Buurtoverleg verkeersveiligheid | Bewoners, school en wijkagent over de drukke kruising.
Collecte-ochtend voedselbank | Houdbare producten inleveren en helpen sorteren.
Inloopspreekuur van de wethouder | Zonder afspraak een kwartier met de wethouder wonen.
Herdenking bij het monument | Kransen, een toespraak van de burgemeester en twee minuten stilte.
Open dag van de brandweer | Spuiten, klimmen en een demonstratie met een brandende frituurpan.
Wijkschouw met de groendienst | Samen langs losse tegels, donkere hoeken en dode bomen.
Naturalisatieceremonie | Een feestelijke ochtend voor nieuwe Nederlanders en hun families.
Bewonersavond warmtenet | Wat betekent van het gas af voor deze straat, en wie betaalt?
Kerstmarkt van de winkeliersvereniging | Kramen, glühwein en een koor op de trappen.
Bloedafname in de sporthal | Donoren geven bloed; nieuwe donoren krijgen een keuring.
Dag van de geschiedenis in het archief | Kijken in het depot en hulp bij stamboomonderzoek.
Boomplantdag met de buurt | Bewoners zetten driehonderd jonge bomen langs hun straat; wie helpt, neemt laarzen mee.
Jaarvergadering dorpshuis | Verslag, verkiezing van het bestuur en een borrel.`,
  outdoors: `
Paddenstoelenwandeling met de boswachter | Twee uur zoeken langs het pad, met een loep en een gids.
Sterren kijken op de heide | Bij helder weer staan drie telescopen klaar.
Vogels tellen aan de plas | Met verrekijker en telformulier langs drie kijkhutten.
Kanotocht door het veen | Stilte, bevers en een thermosfles, twaalf kilometer lang.
Bronstwandeling op de Veluwe | In de schemering luisteren naar burlende herten.
Nacht van de nacht: wandelen zonder licht | Een tocht door het donker met verhalen over vleermuizen.
Snoeidag in de hoogstamboomgaard | Buiten zagen en klimmen tussen oude bomen, een gids wijst welke tak moet blijven.
Wildplukken aan de dijk | Eetbare planten herkennen, en er na afloop soep van koken.
Egelvriendelijk tuinieren: excursie | Een wandeling langs tuinen die het goed doen.
Schaapskudde drijven met de herder | Meelopen van de stal naar de hei en terug.
Geologische fietstocht | Stuwwallen, zwerfkeien en een pannenkoek halverwege.
Zonsopgang boven de polder | Een stille vroege wandeling met ontbijt in de schuur.
Vlindertelling in het stadspark | Een ochtend tellen voor het landelijke onderzoek.
Landschapsdag: wilgen knotten | Handschoenen en gereedschap aanwezig, stevige schoenen mee.`,
  active: `
Singelloop tien kilometer | Een snel parcours langs het water, met hazen voor elke eindtijd.
Zwemvierdaagse | Vier dagen baantjes voor een medaille, iedere dag muziek bij het bad.
Inlooples yoga in het park | Een uur bewegen onder de bomen, matten zijn aanwezig.
Wandelvoetbal zestigplus | Voetbal zonder rennen, met derde helft in de kantine.
Zaalhandbal: open training | Meetrainen met het eerste team, schoenen met lichte zool.
Fietstoertocht Rondje Randmeren | Vijftig of honderd kilometer met verzorgingsposten.
Tafeltennis op dinsdag | Vrij spelen aan twaalf tafels, batjes te leen.
Danstraining salsa beginners | Basispassen en draaien, een partner is niet nodig.
Boulderavond voor starters | Klimmen zonder touw met instructie over vallen.
Judoclinic met een olympiër | Twee uur worpen en valbreken voor banden wit tot blauw.
Badminton op zaterdag | Samen een baan huren en leren serveren onder leiding van een trainer.
Nordic walking langs de duinen | Kennismakingsles met stokken te leen.
Kerst-survivalrun | Modder, touwen en een koude sloot over zeven kilometer.
Rolstoelbasketbal: kennismaken | Stoelen staan klaar, ook voor mensen die kunnen lopen.`,
}
