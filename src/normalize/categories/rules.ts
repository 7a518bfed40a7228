import type { Category } from '../types.ts'

/**
 * Words that speak for a category, Dutch and English together. 3: the word alone settles it, 2: a strong sign.
 * A word also counts as the last part of a compound ("jazzconcert"), its stem as any form of it.
 */
export const categoryWords: Record<Category, Readonly<Record<2 | 3, string>>> = {
  active: {
    3: `survivalrun toertocht fietstoertocht danstraining salsa sportclinic veldloop loopje krachttraining hardlopen hardloopwedstrijd marathon halvemarathon run trimloop sporttoernooi voetbaltoernooi volleybal
      basketbal badminton tafeltennis tennis padel hockey korfbal handbal judo karate boksen kickboksen zwemmen
      aquajoggen turnen gymnastiek bootcamp crossfit pilates yoga zumba fitness spinning wielrennen wielertocht
      mountainbike triatlon atletiek schaatsen skaten skateboarden boulderen klimmen klimhal sportdag beweegdag
      duathlon running marathon football soccer volleyball basketball swimming cycling climbing bouldering workout
      athletics skating boxing squash golf rugby triathlon parkrun aerobics obstacle estafette zwemloop steptocht
      walking-football wandelvoetbal freerunnen turnclinic zwemvierdaagse avondvierdaagse`,
    2: `sport sporten sportief training toernooi wedstrijd bewegen beweging fit conditie spierkracht clinic
      sporthal sportpark zwembad gymzaal estafetteloop tournament match race exercise workout league trainer
      kilometer vijfkilometerloop rennen joggen dansfitness fietsen kampioenschap`,
  },
  gaming: {
    3: `e-sport e-sportcafe esportcafe gameavond magic speeldag speelschema game games gamen gaming gamer esports e-sports videogame videospel bordspel bordspellen bordspelavond
      spelletjesavond spellenavond boardgame boardgames dungeons rpg roleplay rollenspel lan lan-party speedrun
      console arcade arcadehal flipperkast pinball pokemon  warhammer schaken schaaktoernooi dammen
      schaakavond chess quiz-game mario nintendo playstation xbox minecraft fortnite cardgame kaartspel klaverjassen
      bridgedrive bridge retrogames escape-room escaperoom tabletop miniatures cosplay ruilkaarten vr`,
    2: `spel spellen spelen speelhal dobbelstenen speltafel controller joystick multiplayer dice puzzel puzzelen
      spelregels puzzle strategiespel spelavond consoles gamehal speltoernooi`,
  },
  entertainment: {
    3: `staging menagerie audience theater theatervoorstelling toneel toneelstuk cabaret cabaretier musical comedy stand-up standup film filmavond
      filmvertoning bioscoop cinema filmhuis documentaire ballet circus goochelaar goochelshow variete revue opera operette
      voorstelling improvisatietheater improv theatre movie screening  magic-show magician illusionist
      dansvoorstelling toneelvereniging kleinkunst sketches burlesque pantomime première premiere`,
    2: `show acteurs acteur regie podium schouwburg komedie drama humor lachen grappen toneelgroep spelers stage
      actor actors performance dance-performance filmfestival hypnotiseur poetry-slam spoken-word dragshow regisseur
      vertelvoorstelling klucht tragedie  comedian`,
  },
  social: {
    3: `leesclub boekenclub book-club borrel netwerkborrel vrijmibo meetup meet-up speeddaten speeddate speed-dating singles singlesavond
      netwerkbijeenkomst netwerken networking pubquiz kroegquiz quiz bingo bingoavond taalcafe taalcafé eetcafeavond
      karaoke karaokeavond danscafe feest feestje party nieuwjaarsborrel nieuwjaarsreceptie reunie reunion
      pub-quiz drinks get-together language-exchange praatcafe spreekuurcafe koffieochtend koffietafel ontmoeting
      ontmoetingsavond koffie-inloop inloopochtend inloopmiddag borrelavond repaircafe-borrel stamtafel silent-disco`,
    2: `ontmoeten kennismaken  gezelschap gezellig praten inloop expats newcomers nieuwkomers vrienden friends
      aanschuiven bijkletsen  mingle conversation praatje buurtborrel dansavond gesprek`,
  },
  family: {
    3: `voorleesuur babyconcert kinderwagens blokken bouwdag kinderen kindervoorstelling kindertheater kinderfeest kinderdisco kinderspeeldag peuters peuter kleuters kleuter
      kinderboerderij voorlezen voorleesuurtje voorleesmiddag poppenkast sinterklaas sinterklaasintocht sinterklaasfeest
      knutselen knutselmiddag speurtocht jeugdtheater familievoorstelling familiedag gezin gezinnen family families kids
      children toddlers storytime story-time puppet puppets speeltuin kinderkookcafe poppentheater kinderfilm
      kinderworkshop baby babys babycafe kinderdag kermis lampionnenoptocht halloweentocht paaseieren pietengym
      egg-hunt lantern-parade kindercircus familiefilm schminken springkussen jeugdfilm`,
    2: `ouders opa oma jeugd kind kinder familie parents grandparents schoolvakantie herfstvakantie kerstvakantie
      vakantieactiviteit junior mini kinderboek prentenboek sprookje fairytale playground voorgelezen`,
  },
  outdoors: {
    3: `schaapskudde herder boswachters slootjesdag wandeling wandelen wandeltocht natuurwandeling boswandeling excursie natuurexcursie vogelexcursie vogels vogelkijken
      paddenstoelen paddenstoelenwandeling struintocht boswachter fietstocht kanoën kanotocht kano sup suppen roeitocht
      zeiltocht kamperen sterrenkijken sterrenwandeling nachtwandeling hike hiking walk nature birdwatching foraging canoe
      kayak kayaking camping stargazing wildspotten wadlopen vaartocht dauwtrappen landgoed tuindag boomplantdag
      botanische vlindertelling vleermuizen vleermuizentocht strandwandeling duinwandeling kruidenwandeling heidewandeling
      ommetje klompenpad stiltewandeling zwerfafval`,
    2: `natuur bos heide duinen strand park buiten tuin rivier polder landschap gids bezoekerscentrum forest woods garden
      river beach trail wildlife bats birds outdoor laarzen verrekijker bomen planten natuurgebied natuurgids herten
      bosbad weide`,
  },
  music: {
    3: `brass postrock postpunk livetechno synthesizers sessies indie americana open-podium projecties concert concerten optreden live-muziek livemuziek muziek muziekfestival jazz jazzconcert jazzavond blues rock pop
      popconcert metal punk hiphop hip-hop rap techno house dj dj-set djset orkest symfonieorkest philharmonie kamermuziek
      strijkkwartet koor koorconcert kerstconcert zangavond singer-songwriter band bands coverband tributeband fanfare
      harmonie harmonieorkest brassband gospel soul funk reggae folk klassiek pianorecital recital orgelconcert jamsessie
      jam-session open-mic openmic music gig live-music orchestra choir quartet songwriter symphony carillon beiaard
      smartlappen meezingavond meezing lunchconcert albumrelease matthauspassion requiem bigband big-band accordeon
      ska drum-and-bass trance lunchpauzeconcert lunchtime-concert afrobeat ensemble`,
    2: `zanger zangeres gitaar gitarist piano pianist viool cello saxofoon trompet drums podium poppodium nummers album
       liedjes zingen songs singing singer guitar dansvloer festival akoestisch acoustic trio duo repertoire
      componist dirigent conductor solist muzikanten musicians melodie klanken voorprogramma hits vinyl`,
  },
  workshops: {
    3: `maintenance taught snoeicursus workshop workshops cursus cursussen masterclass les lessen lezing college training-dag bootcamp-code
      schilderworkshop schildercursus keramiek pottenbakken tekenen tekenles schilderen fotografie fotocursus naaien
      naaicafe breien haken breicafe houtbewerking lassen meubelmaken bloemschikken kookworkshop zelfverdediging ehbo
      reanimatiecursus programmeren 3d-printen lasercutten solderen taalles taalcursus schrijfworkshop schrijfcursus
      dansles course class classes lecture tutorial pottery painting drawing sewing knitting crochet woodworking coding
      programming photography seminar webinar linoleumsnede zeefdruk kalligrafie letteren bootcamp-web repair-workshop
      boekbinden mozaïek mozaiek kaarsen-maken zeepmaken introductieles proefles spoedcursus kleien upcycling letterpress
      screenprinting printmaking sourdough-course leatherwork leerbewerking`,
    2: `leer leren maken maak docent cursist materiaal techniek technieken beginners gevorderden learn make craft
      materials teacher instructor atelier ambacht zelfmaken hands-on handwerk studio maakplaats uitleg zelf vaardigheden
      gereedschap kunstenaar begeleiding`,
  },
  foodie: {
    3: `beers ale craft-beer beer-tasting beer-festival kookclub eetfestijn bierfestival smulmarkt proeverij wijnproeverij bierproeverij whiskyproeverij kaasproeverij wijn wijnen bier bieren speciaalbier craftbeer
      foodtruck foodtrucks foodfestival food streetfood street-food diner driegangendiner vijfgangendiner lunch
      brunch highttea high-tea high-wine barbecue bbq koken kookcursus kookavond kookles bakken taart taarten
      gebak chocolade kaas whisky gin cocktail cocktails proeven restaurant pop-up-restaurant streekproducten streekmarkt
      boerenmarkt farmers-market tasting wine  brewery brouwerij dinner supper supperclub cooking baking cheese
      chocolate burgers pizza ramen sushi tapas vegan veganistisch pannenkoeken oliebollen stamppot erwtensoep mosselen
      asperges koffieproeverij coffee-tasting breakfast ontbijt culinair culinary kookworkshop versmarkt dineren
      zuurdesem sourdough fermenteren`,
    2: `eten smaken smaak gerechten gerecht chef kok keuken stadskeuken hapjes menu borrelplank  brouwer brouwcafe
      tafel recept recepten ingrediënten dishes flavours chefs kitchen meal meals menu recipe taste taproom
      maaltijd soep brood bread delicious snack`,
  },
  community: {
    3: `boomplantdag-buurt naturalisatieceremonie ceremonie wijkschouw schouw inspraakavond bewonersavond buurtbijeenkomst wijkbijeenkomst gemeenteraad raadsvergadering informatieavond
      inloopavond burendag buurtfeest rommelmarkt vrijwilligersdag vrijwilligers vrijwilliger opschoonactie herdenking
      dodenherdenking intocht kerkdienst kerstmarkt braderie weekmarkt markt vlooienmarkt kringloop repair-café
      repaircafe repair-cafe open-dag opendag opendeurdag koningsdag bevrijdingsdag carnaval optocht collecte
      buurtcentrum wijkcentrum ontmoetingscentrum council meeting neighbourhood neighborhood volunteers volunteer
      charity fundraiser market flea-market jumble-sale open-day commemoration service town-hall hearing consultation
      spreekuur kledingruil boekenruil boekenmarkt ruilbeurs plantenruil swap inzameling benefiet debat debatavond
      bewoners stemmen verkiezingen rondleiding clean-up litter-pick tuinmarkt zaadjesruil bloedbank`,
    2: `buurt wijk gemeente wethouder burgemeester gemeentehuis dorpshuis dorp stad inwoners residents local raad kerk
      church plein vereniging stichting bijeenkomst vergadering town village plannen kraampjes kramen omwonenden
      leefbaarheid mayor stalls donate`,
  },
}
