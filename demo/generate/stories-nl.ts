// Invented news. Every story is used once, so that equal texts on two sites are deliberate copies.
export const dutchStories = `
# regio | Nieuwe fietsbrug over de Linge gaat in het voorjaar open
De langverwachte fietsbrug bij Leerdam is op zijn plaats gehesen en wordt in april opengesteld voor verkeer.
Twee drijvende kranen deden er zes uur over om het gevaarte van tachtig ton neer te leggen.
De brug verkort de route naar het station met bijna drie kilometer.
Scholieren die nu langs de provinciale weg moeten, krijgen daarmee een veilige verbinding.
De bouw liep vorig jaar vertraging op doordat er een beschermde vissoort in de vaargeul bleek te paaien.
Het asfalt wordt aangelegd zodra de nachtvorst voorbij is.
# regio | Molen De Hoop draait weer na brand van twee jaar geleden
Voor het eerst sinds de brand heeft de korenmolen in Sleeuwijk weer graan gemalen.
Bij de brand gingen de kap en het complete wiekenkruis verloren.
Een molenmaker uit Brabant zaagde de nieuwe roeden uit Amerikaans grenen.
De stenen uit 1861 bleken wonder boven wonder ongeschonden.
Bakkers uit de omgeving hebben het eerste meel al besteld.
Op zaterdagen kunnen bezoekers de zolder weer op, mits ze de steile trap aandurven.
# regio | Veerpont naar Werkendam vaart tot maart niet
Het pontje tussen Hardinxveld en Werkendam gaat maanden uit de vaart voor groot onderhoud.
De romp wordt gestraald, de dieselmotoren maken plaats voor elektrische aandrijving.
Forenzen moeten tot die tijd omrijden via de Merwedebrug.
Voor fietsers rijdt er in de spits een busje met aanhanger.
De exploitant hoopt met de nieuwe accu's zestig procent op brandstof te besparen.
Een laadpaal van twee megawatt staat al klaar op de noordoever.
# regio | Dijkversterking bij Streefkerk kost honderd bomen
Langs de Lek verdwijnt een rij populieren omdat hun wortels de nieuwe damwand in de weg zitten.
Het waterschap plant elders drie keer zoveel bomen terug.
Omwonenden hadden een petitie met achthonderd handtekeningen ingeleverd.
De dijk voldoet al jaren niet aan de norm voor extreem hoogwater.
Aannemers werken vanaf het water zodat er minder vrachtwagens door het dorp rijden.
Over twee winters moet het hele traject van elf kilometer klaar zijn.
# regio | Wolf gezien aan de rand van Gorinchem
Een bewoonster filmde zondagochtend een wolf die op zijn gemak langs de Haarwijkse dreef liep.
Deskundigen bevestigen op grond van de beelden dat het om een jong mannetje gaat.
Het dier is waarschijnlijk op doortocht vanuit de Veluwe naar het zuiden.
Schapenhouders in de Alblasserwaard kregen het advies hun kuddes 's nachts op te stallen.
De provincie stelt vanaf deze week subsidie beschikbaar voor hekken met stroom.
Wie een wolf ziet, kan dat melden bij het landelijke meldpunt.
# regio | Ziekenhuis opent buitenpolikliniek in voormalig postkantoor
Patiënten uit Giessenburg en omgeving kunnen dichter bij huis terecht voor bloedprikken en controles.
In de oude sorteerhal zijn acht spreekkamers gemaakt.
Cardiologen, longartsen en een oogarts houden er bij toerbeurt spreekuur.
De apotheek verhuist mee naar de begane grond.
Het monumentale loket is blijven staan en doet dienst als balie.
De verwachting is dat er per jaar veertienduizend bezoekers komen.
# regio | Brandweer redt paard uit sloot bij Noordeloos
Met een hoogwerker en brede hijsbanden is dinsdagavond een Fries paard uit het water getild.
Het dier was door het hek geschrokken van vuurwerk en te water geraakt.
Een dierenarts gaf het ter plekke een verdovend middel.
Na een uur stond het onderkoelde paard weer op eigen benen.
De eigenaar trakteerde de ploeg de volgende dag op appelgebak.
Het was de derde reddingsactie van vee deze maand.
# binnenland | Kamer wil strengere regels voor vakantieparken met vaste bewoners
Een meerderheid vindt dat gemeenten te weinig middelen hebben om wantoestanden aan te pakken.
Naar schatting wonen zestigduizend mensen permanent in een chalet of caravan.
Veel van hen kunnen geen gewone huurwoning vinden.
Het voorstel geeft burgemeesters de bevoegdheid een park tijdelijk onder beheer te stellen.
Eigenaren van parken noemen dat een inbreuk op hun bezit.
De minister komt na het reces met een reactie.
# binnenland | Spoor tussen Utrecht en Den Bosch twee weekeinden dicht
Reizigers moeten rekening houden met een uur extra reistijd doordat bij Geldermalsen wissels worden vervangen.
Er rijden bussen tussen Culemborg en Zaltbommel.
De werkzaamheden waren eerder uitgesteld door een tekort aan seinmonteurs.
Goederentreinen worden omgeleid over de Betuweroute.
Na afloop kunnen treinen met honderdzestig kilometer per uur door het station.
De spoorbeheerder raadt aan om niet tussen tien en twee te reizen.
# binnenland | Inflatie daalt voor vierde maand op rij
Het leven werd in oktober twee komma drie procent duurder dan een jaar eerder, de kleinste stijging sinds lang.
Vooral brandstof en elektriciteit drukten het cijfer.
Levensmiddelen bleven wel duurder, met koffie en cacao als uitschieters.
Economen van twee banken verwachten dat de daling doorzet tot de zomer.
De lonen stijgen inmiddels sneller dan de prijzen.
Vakbonden vinden het te vroeg om de looneisen te matigen.
# binnenland | Hoger beroep in zaak om verdwenen schilderijen begint in maart
Het gerechtshof buigt zich opnieuw over de diefstal van drie zeventiende-eeuwse doeken uit een buitenhuis.
De rechtbank sprak twee van de vier verdachten vrij wegens gebrek aan bewijs.
Het openbaar ministerie heeft een nieuwe getuige gevonden in Antwerpen.
Van de werken ontbreekt nog altijd elk spoor.
De verzekeraar looft tweehonderdduizend euro uit voor de gouden tip.
Het hof trekt vijf zittingsdagen uit.
# binnenland | Meer jongeren kiezen voor een opleiding in de techniek
Het aantal eerstejaars op mbo-opleidingen voor installatie en elektrotechniek groeide met elf procent.
Scholen zien vooral meer meisjes en zijinstromers.
Bedrijven betalen vaker de laptop en het gereedschap.
De grootste knelpunten blijven het vinden van docenten en stageplekken.
Een proef met avondlessen in werkplaatsen krijgt een vervolg in zeven steden.
Over vier jaar moeten er twintigduizend extra monteurs zijn.
# sport | Korfballers van Merwede verrassen koploper op eigen veld
Met een doelpunt in de slotseconde bezorgde invaller Kelder de ploeg uit Sliedrecht de winst.
De thuisploeg keek bij rust nog tegen een achterstand van zes punten aan.
Coach Van Vuuren gooide na de pauze beide vakken om.
Daardoor kreeg de topschutter van de bezoekers geen kans meer om vrij te draaien.
Door de zege klimt Merwede naar de derde plaats.
Zaterdag wacht de streekderby in een uitverkochte hal.
# sport | Schaatsbaan in Papendrecht open zodra het drie nachten vriest
De ijsclub heeft het weiland onder water gezet en hoopt op een oostenwind.
Vorig seizoen kon er geen enkele dag worden geschaatst.
Een nieuwe pomp brengt binnen zes uur een laag van acht centimeter op het land.
Leden krijgen een bericht op hun telefoon als de vlag uitgaat.
De koek-en-zopietent is overgenomen door de scouting.
Bij langdurige kou staat een wedstrijd over vijftien kilometer op het programma.
# sport | Zwemster uit Alblasserdam naar WK kortebaan
Met een persoonlijk record op de honderd meter rugslag plaatste Mila Terlouw zich voor het wereldkampioenschap.
Ze dook voor het eerst onder de zevenenvijftig seconden.
De zeventienjarige combineert twaalf trainingen per week met haar examenjaar.
Haar school geeft vrij voor het toernooi, mits ze de toetsen inhaalt.
De bond nomineerde ook twee estafetteploegen.
Het toernooi wordt voor het eerst in een tijdelijk bad in een ijshal gehouden.
# sport | Roeivereniging vernieuwt botenloods met hulp van leden
Vijftig vrijwilligers legden in drie weekeinden een compleet nieuw dak op de loods aan de Noord.
Het oude dak bevatte asbest en moest door een gespecialiseerd bedrijf worden afgevoerd.
De vereniging haalde het geld op met een veiling van oude skiffs.
Zonnepanelen leveren straks genoeg stroom voor de kleedkamers.
Het jeugdteam krijgt eigen rekken op kniehoogte.
In mei is de feestelijke tewaterlating van twee nieuwe achten.
# cultuur | Verloren gewaande orgelpijpen teruggevonden op kerkzolder
Bij het opruimen van de zolder in Ameide kwamen veertig pijpen uit 1774 tevoorschijn.
Ze waren gewikkeld in kranten uit de bezettingstijd.
Een restaurateur denkt dat ze zijn verstopt om omsmelten te voorkomen.
Twaalf pijpen geven na reiniging weer een zuivere toon.
Het register wordt in het huidige instrument teruggeplaatst.
Organisten uit heel Europa hebben zich al gemeld om erop te spelen.
# cultuur | Museum toont tekeningen van kinderen uit watersnoodgebied
De tentoonstelling bevat tweehonderd schoolschriften die zeventig jaar in een kast lagen.
Een onderwijzer vroeg zijn leerlingen destijds te tekenen wat ze hadden gezien.
Daken met mensen, drijvend vee en roeiboten keren steeds terug.
Vijf van de makers leven nog en spraken een audiotoelichting in.
De collectie reist daarna door naar Zierikzee en Hamburg.
Op woensdagmiddagen kunnen kinderen hun eigen verhaal toevoegen.
# cultuur | Dichtersfestival verhuist naar leegstaande scheepswerf
Na elf jaar in de schouwburg kiest de organisatie voor een hal met lekkend dak en goede akoestiek.
Er is plaats voor drie podia en een drukkerij.
Bezoekers drukken ter plaatse hun eigen bundel.
De opening wordt verzorgd door de stadsdichter en een slagwerkgroep.
Kaarten kosten de helft van vorig jaar dankzij een legaat.
De werf wordt over twee jaar gesloopt voor woningbouw.
# cultuur | Bibliotheek leent voortaan ook naaimachines en boormachines uit
Leden kunnen met hun pas honderdtwintig gebruiksvoorwerpen een week mee naar huis nemen.
Het idee komt uit Helsinki, waar het al twintig jaar bestaat.
Populair bij de proef waren de tapijtreiniger en de beamer.
Kapotte spullen gaan naar het reparatiecafé op dezelfde verdieping.
Een borg is niet nodig, te laat inleveren kost vijftig cent per dag.
Wie iets mist, mag een wens op de muur schrijven.
# economie | Scheepsbouwer krijgt order voor zes elektrische sleepboten
De werf in Hardinxveld levert de schepen over drie jaar aan de haven van Göteborg.
Met de opdracht is negentig miljoen euro gemoeid.
De boten krijgen accu's die in vijftig minuten vol zijn.
Voor de bouw zoekt het bedrijf tachtig lassers en elektriciens.
Een deel van de rompen komt uit Polen.
Concurrenten uit Turkije en China visten achter het net.
# economie | Laatste bakkerij van Nieuwpoort vindt na lang zoeken opvolger
Een stel uit Rotterdam neemt in januari de zaak over die sinds 1919 in dezelfde familie was.
De huidige bakker staat al vijftig jaar om twee uur 's nachts op.
Zijn recept voor kruidkoek gaat mee in de verkoop.
De nieuwe eigenaren willen ook lunch en taartworkshops aanbieden.
Het dorp had een inzameling gehouden voor een nieuwe oven.
Tot de jaarwisseling staan ze samen achter de toonbank.
# economie | Distributiecentrum langs A15 mag toch niet worden gebouwd
De Raad van State vernietigt het bestemmingsplan omdat de gevolgen voor het grondwater onvoldoende zijn onderzocht.
Het complex zou zo groot worden als twintig voetbalvelden.
Actievoerders vierden de uitspraak met soep langs de snelweg.
De gemeente beraadt zich op een kleiner plan.
De projectontwikkelaar eist mogelijk schadevergoeding.
Voor de grond liggen inmiddels ook ideeën voor een voedselbos.
# economie | Fietsenfabriek stapt over op zadels van appelleer
Resten uit de sapindustrie worden in Tiel verwerkt tot een materiaal dat op leer lijkt.
De eerste tweeduizend fietsen rollen in februari van de band.
Het zadel is iets zwaarder maar slijt volgens testen minder snel.
Telers krijgen een kleine vergoeding voor wat voorheen veevoer was.
De fabriek wil over vijf jaar helemaal zonder dierlijk materiaal werken.
Klanten betalen er vooralsnog negen euro extra voor.
# economie | Tuinders in de Betuwe laten kassen verwarmen door datacentrum
Restwarmte van duizenden servers houdt vanaf deze winter tomaten op temperatuur.
Een buis van vier kilometer verbindt het gebouw in Zaltbommel met zes bedrijven.
Per jaar scheelt dat acht miljoen kubieke meter gas.
Het water komt binnen met drieënveertig graden en gaat met vijfentwintig terug.
De provincie betaalde een derde van de aanleg.
Bij storing springen oude ketels bij.
# binnenland | Proef met schooltijden voor pubers blijkt een succes
Leerlingen die pas om tien uur beginnen, slapen langer en halen hogere cijfers.
Aan het onderzoek deden veertien scholen mee, verspreid over het land.
Het ziekteverzuim onder docenten daalde eveneens.
Ouders met jonge kinderen vonden de nieuwe tijden minder handig.
Busbedrijven willen de dienstregeling alleen aanpassen als meer scholen volgen.
De onderzoekers pleiten voor een landelijke regeling.
# regio | Zeldzame zeearend broedt voor het eerst in de Biesbosch-oost
Boswachters telden twee jongen in een nest dat zo breed is als een auto.
Het gebied rond de kreek is tot juli afgesloten voor kano's.
De vogels hebben een spanwijdte van bijna tweeënhalve meter.
Ze leven van karper, gans en af en toe een muskusrat.
Een camera zendt het leven op het nest dag en nacht uit.
Vorig jaar mislukte een poging door een zware storm.
# cultuur | Carillon van de Grote Toren klinkt weer zuiver
Negenentwintig klokken zijn na een verblijf van acht maanden in Asten teruggehangen.
Door roest en duivenpoep was het spel bijna een halve toon gezakt.
De beiaardier oefende in de tussentijd op een mobiel klavier.
Tijdens de eerste bespeling klonk een wals die speciaal was gecomponeerd.
Buurtbewoners hebben ingestemd met een extra kwartierslag overdag.
's Nachts blijft de toren stil.
`
