import type { Category } from '../types.ts'

/**
 * Words that speak for a category, Dutch and English together. 3: the word alone settles it, 2: a strong sign, 1: a
 * hint that needs others beside it. A word also counts as the last part of a compound ("jazzconcert"), its stem as any form of it.
 */
export const categoryWords: Record<Category, Readonly<Record<1 | 2 | 3, string>>> = {
  active: {
    3: `survivalrun toertocht fietstoertocht danstraining salsa sportclinic veldloop loopje krachttraining hardlopen
      hardloopwedstrijd marathon halvemarathon run trimloop sporttoernooi voetbaltoernooi volleybal basketbal
      badminton tafeltennis tennis padel hockey korfbal handbal judo karate boksen kickboksen zwemmen
      aquajoggen turnen gymnastiek bootcamp crossfit pilates yoga zumba fitness spinning wielrennen
      wielertocht mountainbike triatlon atletiek schaatsen skaten skateboarden boulderen klimmen klimhal
      sportdag beweegdag duathlon running football soccer volleyball basketball swimming cycling climbing
      bouldering workout athletics skating boxing squash golf rugby triathlon parkrun aerobics obstacle
      estafette zwemloop steptocht walking-football wandelvoetbal freerunnen turnclinic zwemvierdaagse
      avondvierdaagse nordic-walking boulder boulderavond boulderhal tai-chi aquafit qigong roeien wielerclub
      stijldansen swim kampioenschappen ijsbaan beachvolleybal cardio hardloop zwem fun-run schaatsbaan
      voetbal`,
    2: `sport sporten sportief training toernooi wedstrijd bewegen fit conditie spierkracht clinic estafetteloop
      tournament match race exercise workout league trainer kilometer vijfkilometerloop rennen joggen
      dansfitness fietsen kampioenschap roeivereniging coach zwemmers ride sportvereniging fietsers roeiers
      lopers parcours hardlopers finishen beweegt`,
    1: `sporthal sportpark zwembad gymzaal matje training bewegen beweging`,
  },
  gaming: {
    3: `e-sport e-sportcafe esportcafe gameavond speeldag speelschema game games gamen gaming gamer esports e-sports
      videogame videospel bordspel bordspellen bordspelavond spelletjesavond spellenavond boardgame boardgames
      dungeons rpg roleplay rollenspel lan lan-party speedrun console arcade arcadehal flipperkast pinball
      pokemon warhammer schaken schaaktoernooi dammen schaakavond chess quiz-game mario nintendo playstation
      xbox minecraft fortnite cardgame kaartspel klaverjassen magic-the bridgedrive bridge retrogames escape-room
      escaperoom tabletop miniatures cosplay ruilkaarten vr schaak klaverjas klaverjasavond fifa rummikub
      damclub schaakclub tekken legpuzzel smash board-game board-games catan dungeon-master virtual-reality
      bridgen speluitleg gamequiz lanparty spelcomputer spelcomputers`,
    2: `spel spellen dobbelstenen speltafel controller joystick multiplayer dice puzzel puzzelen spelregels puzzle
      strategiespel spelavond consoles gamehal speltoernooi boosters arcade-machines uitleggers
      competitieronde vr-bril`,
    1: `speelhal scores spelen knock-out booster`,
  },
  entertainment: {
    3: `staging menagerie audience theater theatervoorstelling toneel toneelstuk cabaret cabaretier musical comedy
      stand-up standup film filmavond filmvertoning bioscoop cinema filmhuis documentaire ballet circus
      goochelaar goochelshow variete revue opera operette voorstelling improvisatietheater improv theatre
      movie screening magic-show magician illusionist dansvoorstelling toneelvereniging kleinkunst sketches
      burlesque pantomime première premiere films filmnacht filmclub dansgezelschap toneelgezelschap
      theatergezelschap standupcomedy comedyclub shakespeare vertelavond verteltheater verhalenverteller
      storytelling theatersport mime mimespeler poezieavond dichtersavond poetry poezie goochelen magic
      illusies illusions acrobatiek acrobaten trapeze musicals cabaretvoorstelling komiek comics tragedy
      tweeakter eenakter`,
    2: `show acteurs acteur regie komedie drama humor lachen grappen toneelgroep stage actor actors performance
      dance-performance filmfestival hypnotiseur poetry-slam spoken-word dragshow regisseur vertelvoorstelling
      klucht tragedie comedian dansers vertellers verteller dichters humorist hypnose nagesprek foyer
      improvisatie gezelschap toneelspelers publieksprijs acteren decor kostuums curtain scenes speelfilm
      ondertitels filmdoek detective`,
    1: `podium schouwburg spelers publiek crowd dans doek gespeeld komisch grappig`,
  },
  social: {
    3: `leesclub boekenclub book-club borrel netwerkborrel vrijmibo meetup meet-up speeddaten speeddate speed-dating
      singles singlesavond netwerkbijeenkomst netwerken networking pubquiz kroegquiz quiz bingo bingoavond
      taalcafe taalcafé eetcafeavond karaoke karaokeavond danscafe feest feestje party nieuwjaarsborrel
      nieuwjaarsreceptie reunie reunion pub-quiz drinks get-together language-exchange praatcafe spreekuurcafe
      koffieochtend koffietafel ontmoeting ontmoetingsavond koffie-inloop inloopochtend inloopmiddag
      borrelavond repaircafe-borrel stamtafel silent-disco breicafe haakcafe naaicafe ouderencafe seniorencafe
      alzheimercafe alzheimer-cafe alzheimer filosofisch-cafe filosofiecafe koffie-ochtend coffee-morning
      knit-and eettafel huiskamercafe regenboogborrel netwerklunch studentencafe alleenstaanden tea-dance
      natter`,
    2: `ontmoeten kennismaken gezellig inloop expats newcomers nieuwkomers vrienden friends bijkletsen mingle
      conversation praatje buurtborrel dansavond bijpraten kletsen toosten chat expat zzpers stamgasten
      ijsbreker elkaar-ontmoeten`,
    1: `praten gesprek gezelschap gezellig drankje cafe praatje aanschuiven koffie thee samenzijn elkaar`,
  },
  family: {
    3: `voorleesuur babyconcert kinderwagens blokken bouwdag kinderen kindervoorstelling kindertheater kinderfeest
      kinderdisco kinderspeeldag peuters peuter kleuters kleuter kinderboerderij voorlezen voorleesuurtje
      voorleesmiddag poppenkast sinterklaas sinterklaasintocht sinterklaasfeest knutselen knutselmiddag
      speurtocht jeugdtheater familievoorstelling familiedag gezin gezinnen family families kids children
      toddlers storytime story-time puppet puppets speeltuin kinderkookcafe poppentheater kinderfilm
      kinderworkshop baby babys babycafe kinderdag kermis lampionnenoptocht halloweentocht paaseieren
      pietengym egg-hunt lantern-parade kindercircus familiefilm schminken springkussen jeugdfilm
      lampionoptocht lampionnen face-painting bouncy-castle slaapfeest pyjamafeest speelgoed slaapfeestje
      peutergym babymassage voorleesontbijt voorlees ouder-kind proefjes jeugdvoorstelling`,
    2: `ouders opa oma jeugd kind kinder familie parents grandparents schoolvakantie herfstvakantie kerstvakantie
      vakantieactiviteit junior mini kinderboek prentenboek sprookje fairytale playground voorgelezen ouder
      papa mama verkleden lego under-fives messy-play dino school-holiday`,
    1: `ouders kinderboeken jong-en-oud grandchildren`,
  },
  outdoors: {
    3: `schaapskudde herder boswachters slootjesdag wandeling wandelen wandeltocht natuurwandeling boswandeling
      excursie natuurexcursie vogelexcursie vogelkijken paddenstoelen paddenstoelenwandeling struintocht
      boswachter fietstocht kanoën kanotocht kano sup suppen roeitocht zeiltocht kamperen sterrenkijken
      sterrenwandeling nachtwandeling hike hiking walk nature birdwatching foraging canoe kayak kayaking
      camping stargazing wildspotten wadlopen vaartocht dauwtrappen tuindag botanische vlindertelling
      vleermuizen vleermuizentocht strandwandeling duinwandeling kruidenwandeling heidewandeling ommetje
      klompenpad stiltewandeling zwerfafval wildplukken wildpluk natuurwerkdag plantenexcursie tuinwandeling
      vogelwandeling bronstwandeling wadlooptocht wadlopers zeehonden boat-trip bosbaden nachtvlinders
      rondvaart rock-pooling wilgen knotten dark-sky kanoen struinen uiterwaarden arboretum open-tuinen
      hoogstamboomgaard boomgaarden snoeien wandelroute ranger cliffs`,
    2: `natuur bos heide duinen rivier landschap forest woods garden river beach trail wildlife bats birds outdoor
      verrekijker planten natuurgebied natuurgids herten bosbad weide boomplantdag vogels vogel heidelandschap
      moeras hei veen bevers burlende egels egel tuinen tuinieren telescopen sterren boomgaard drassig plassen
      seals varen zandbanken natuurwerk zonsopgang boots`,
    1: `park buiten tuin strand bomen gids bezoekerscentrum polder laarzen landgoed excursies trail`,
  },
  music: {
    3: `brass postrock postpunk livetechno synthesizers indie americana open-podium concert concerten optreden
      live-muziek livemuziek muziek muziekfestival jazz jazzconcert jazzavond blues rock pop popconcert metal
      punk hiphop hip-hop rap techno house dj dj-set djset orkest symfonieorkest philharmonie kamermuziek
      strijkkwartet koor koorconcert kerstconcert zangavond singer-songwriter band bands coverband tributeband
      fanfare harmonie harmonieorkest brassband gospel soul funk reggae folk klassiek pianorecital recital
      orgelconcert jamsessie jam-session open-mic openmic music gig live-music orchestra choir quartet
      songwriter symphony carillon beiaard smartlappen meezingavond meezing lunchconcert albumrelease
      matthauspassion requiem bigband big-band ska drum-and-bass trance lunchpauzeconcert lunchtime-concert
      afrobeat ensemble djs drumnbass drum-n-bass clubnacht nederpop indiepop synthpop surfrock surfband samba
      percussie dixie dixieland blaaskapel dweilorkest ceilidh fiddle orgelbespeling orgel orgelmuziek
      slagwerk gamelan chanson jazzy conservatorium popkoor dancefeest shantykoor rockband rappers kamerjazz
      elpee elpees indiefolk soundtracks luistersessie jam-sessie zangkoor strijkersensemble strijkers
      symphonic harmonies concerto`,
    2: `zanger zangeres gitaar gitarist piano pianist viool cello saxofoon trompet drums poppodium nummers album
      liedjes zingen songs singing singer guitar dansvloer akoestisch acoustic trio duo repertoire componist
      dirigent conductor solist muzikanten musicians melodie klanken voorprogramma hits vinyl accordeon bass
      geluidssysteem blazers blaassectie zangers blaasinstrumenten drumstellen debuutalbum samenzang tribute
      meezingen vleugel muzikaal fiddles tunes gezongen koorzang vibrafoon contrabas dansbaar ritme
      trompettist percussion bach beethoven vivaldi schubert haydn`,
    1: `podium hits klanken duo trio festival`,
  },
  workshops: {
    3: `maintenance taught snoeicursus workshop workshops cursus cursussen masterclass les lessen lezing college
      training-dag bootcamp-code schilderworkshop schildercursus keramiek pottenbakken tekenen tekenles
      schilderen fotografie fotocursus naaien breien haken houtbewerking lassen meubelmaken bloemschikken
      kookworkshop zelfverdediging ehbo reanimatiecursus programmeren 3d-printen lasercutten solderen taalles
      taalcursus schrijfworkshop schrijfcursus dansles course class classes lecture tutorial pottery painting
      drawing sewing knitting crochet woodworking coding programming photography seminar webinar linoleumsnede
      zeefdruk kalligrafie letteren bootcamp-web repair-workshop boekbinden mozaïek mozaiek kaarsen-maken
      zeepmaken introductieles proefles spoedcursus kleien upcycling letterpress screenprinting printmaking
      sourdough-course leatherwork leerbewerking reanimatie aed silversmithing sieraden watercolour
      aquarelleren aquarel linosnede bookbinding podcast-maken naailes screen-printing bijenhouden
      creative-writing digicafe papierscheppen timmeren computerles photoshop glas-in-lood schrijfatelier`,
    2: `docent cursist materiaal techniek technieken beginners gevorderden learn craft materials teacher instructor
      atelier ambacht zelfmaken hands-on handwerk studio maakplaats uitleg vaardigheden gereedschap
      begeleiding cursusmiddag cursusavond kneading introductie introduction oefenlaptops zelf-maken
      handleiding certificaat exercises theorie repareren tuition taster-day stitch`,
    1: `leer leren maken maak zelf make techniek kunstenaar studio uitleg materiaal schets`,
  },
  foodie: {
    3: `beers ale craft-beer beer-tasting beer-festival kookclub eetfestijn bierfestival smulmarkt proeverij
      wijnproeverij bierproeverij whiskyproeverij kaasproeverij wijn wijnen bier bieren speciaalbier craftbeer
      foodtruck foodtrucks foodfestival food streetfood street-food diner driegangendiner vijfgangendiner
      lunch brunch highttea high-tea high-wine barbecue bbq koken kookcursus kookavond kookles bakken taart
      taarten gebak chocolade kaas whisky gin cocktail cocktails proeven restaurant pop-up-restaurant
      streekproducten streekmarkt boerenmarkt farmers-market tasting wine brewery brouwerij dinner supper
      supperclub cooking baking cheese chocolate burgers pizza ramen sushi tapas vegan veganistisch
      pannenkoeken oliebollen stamppot erwtensoep mosselen asperges koffieproeverij coffee-tasting breakfast
      ontbijt culinair culinary kookworkshop versmarkt dineren zuurdesem sourdough fermenteren kook kazen
      kaasmarkt haring ijsjes boerenijs smullen haringen haringparty oesters champagne whiskys whiskyavond
      cider korenwijn proeflokaal brouwerijen popupdiner cooking-class thai curry rijsttafel tapasroute
      soepcafe mosselavond koffiecupping midwinterdiner oenologie foodies restaurantweek hapjesroute vishandel
      tacos dumplings gins wines cheeses driegangenmenu scones`,
    2: `smaken smaak gerechten gerecht chef kok stadskeuken hapjes borrelplank brouwer brouwcafe recept recepten
      ingrediënten dishes flavours chefs kitchen meal meals recipe taste taproom maaltijd bread delicious
      snack haringen honing groente groenten gangen schorseneren hapje glas-wijn lekkernijen vegetarisch
      keukens koks kookt gebakken eetbaar`,
    1: `tafel brood soep eten keuken bar glas menu`,
  },
  community: {
    3: `boomplantdag-buurt naturalisatieceremonie ceremonie wijkschouw schouw inspraakavond bewonersavond
      buurtbijeenkomst wijkbijeenkomst gemeenteraad raadsvergadering informatieavond inloopavond burendag
      buurtfeest rommelmarkt vrijwilligersdag vrijwilligers vrijwilliger opschoonactie herdenking
      dodenherdenking intocht kerkdienst kerstmarkt braderie weekmarkt markt vlooienmarkt kringloop
      repair-café repaircafe repair-cafe open-dag opendag opendeurdag koningsdag bevrijdingsdag carnaval
      optocht collecte buurtcentrum wijkcentrum ontmoetingscentrum council meeting neighbourhood neighborhood
      volunteers volunteer charity fundraiser market flea-market jumble-sale open-day commemoration service
      town-hall hearing consultation spreekuur kledingruil boekenruil boekenmarkt ruilbeurs plantenruil swap
      inzameling benefiet debat debatavond bewoners verkiezingen clean-up litter-pick tuinmarkt zaadjesruil
      bloedbank bloedafname bloeddonatie bloeddonoren blood-donation overleg buurtoverleg jaarvergadering
      ledenvergadering wijkoverleg kranslegging vrijmarkt voedselbank parish jumble juridisch inspreekavond
      kerstviering parochie eredienst waterschap`,
    2: `buurt wijk gemeente wethouder burgemeester gemeentehuis dorpshuis dorp inwoners residents raad stichting
      bijeenkomst vergadering village kraampjes kramen omwonenden leefbaarheid mayor stalls donate donoren
      boomplantdag geschiedenis archief stamboomonderzoek stamboom wijkagent organisaties bestuur proceeds
      hospice ontwerp herinrichting aubade winkeliersvereniging brandweer`,
    1: `buurt wijk kerk stad dorp plein church local plannen vereniging town`,
  },
}

/** Endings that tell only the form; what it is about stands before them: "schaaktoernooi", "bierfestival". */
export const forms: ReadonlySet<string> = new Set(
  `festival festivals toernooi toernooien kampioenschap kampioenschappen wedstrijd competitie marathon rondleiding
  show party feest feesten markt beurs route dag avond nacht middag weekend cafe`.split(/\s+/),
)

/** Words of four letters that are parts of compounds. */
export const shortParts: ReadonlySet<string> = new Set(
  'film jazz folk bier wijn kaas kook brei zwem food game fifa yoga koor show cafe'.split(' '),
)

/** Words that resemble one of the above and mean something else. */
export const silentWords: ReadonlySet<string> = new Set(
  'klassieker klassiekers klassikaal verband spelling gameet kerkhof speelt speelde'.split(' '),
)
