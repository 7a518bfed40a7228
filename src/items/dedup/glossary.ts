/** Dutch words of calendars with the English word both are compared as. `nl nl2=en`, one entry a piece. */
const entries = `
avond=evening avonden=evening middag=afternoon ochtend=morning nacht=night dag=day dagen=day weekend=weekend
zomer=summer winter=winter herfst=autumn lente=spring voorjaar=spring najaar=autumn kerst=christmas kerstmis=christmas
pasen=easter paas=easter oudjaar=newyear nieuwjaar=newyear nieuwjaars=newyear sinterklaas=sinterklaas
concert=concert optreden=concert gig=concert live=live muziek=music muzikaal=music orkest=orchestra koor=choir koren=choir
zang=singing zingen=singing meezing=singalong lied=song liedjes=song piano=piano gitaar=guitar viool=violin orgel=organ
strijkkwartet=stringquartet kwartet=quartet trio=trio duo=duo bigband=bigband fanfare=brassband harmonie=windband
lunchconcert=lunch,concert pauzeconcert=lunch,concert lunchtime=lunch kamermuziek=chambermusic klassiek=classical
festival=festival feest=party feestje=party party=party borrel=drinks drankje=drinks
markt=market rommelmarkt=flea,market vlooienmarkt=flea,market boekenmarkt=book,market kerstmarkt=christmas,market
boerenmarkt=farmers,market streekmarkt=farmers,market jumble=flea
wandeling=walk wandelen=walk wandeltocht=walk tocht=tour excursie=excursion rondleiding=tour rondleidingen=tour fietstocht=bike,tour
fietsen=bike fiets=bike cycling=bike bicycle=bike hike=walk hiking=walk guided=guide gegidste=guide stadswandeling=city,walk
natuur=nature natuurwandeling=nature,walk bos=forest boswandeling=forest,walk strand=beach duinen=dunes tuin=garden tuinen=garden
park=park plein=square vogel=bird vogels=bird birds=bird vleermuizen=bat vleermuis=bat bats=bat sterren=star stars=star
sterrenkijken=stargazing paddenstoelen=mushroom paddestoelen=mushroom mushrooms=mushroom
theater=theatre theatre=theatre toneel=play toneelstuk=play voorstelling=show show=show cabaret=comedy comedy=comedy
standup=comedy musical=musical film=film films=film movie=film bioscoop=cinema filmavond=film,evening dans=dance dansen=dance
dansvoorstelling=dance,show ballet=ballet circus=circus goochelaar=magician goochelshow=magic,show poppenkast=puppet
poppentheater=puppet,theatre première=premiere premiere=premiere
kinderen=kids kind=kids kinder=kids children=kids childrens=kids child=kids peuters=toddler peuter=toddler toddlers=toddler kleuters=toddler
familie=family gezin=family gezinnen=family families=family jeugd=youth jongeren=youth teenagers=youth senioren=senior ouderen=senior seniors=senior
volwassenen=adult adults=adult vrouwen=women mannen=men beginners=beginner beginner=beginner gevorderden=advanced
voorlezen=storytime voorleesuur=storytime voorleesuurtje=storytime voorleesmiddag=storytime verhalen=story verhaal=story story=story
speurtocht=treasurehunt knutselen=crafts knutselmiddag=crafts,afternoon crafts=crafts spel=game spellen=game spelletjes=game
spelavond=game,evening spellenavond=game,evening spelletjesavond=game,evening games=game bordspel=boardgame bordspellen=boardgame
bordspellenavond=boardgame,evening bordspelavond=boardgame,evening boardgames=boardgame schaken=chess schaak=chess quiz=quiz pubquiz=pub,quiz kroegquiz=pub,quiz
workshop=workshop cursus=course les=lesson lessen=lesson class=lesson classes=lesson lezing=lecture talk=lecture college=lecture
tekenen=drawing schilderen=painting schilder=painting fotografie=photography keramiek=pottery pottenbakken=pottery ceramics=pottery
naaien=sewing breien=knitting haken=crochet bloemschikken=flowerarranging schrijven=writing houtbewerking=woodworking bakken=baking
koken=cooking kook=cooking kookworkshop=cooking,workshop taart=cake brood=bread chocolade=chocolate kaas=cheese wijn=wine bier=beer
proeverij=tasting proeven=tasting wijnproeverij=wine,tasting bierproeverij=beer,tasting kaasproeverij=cheese,tasting whiskyproeverij=whisky,tasting
eten=food diner=dinner ontbijt=breakfast lunch=lunch keuken=kitchen smaak=taste foodtruck=foodtruck
hardlopen=running hardloop=running run=running loop=running marathon=marathon zwemmen=swimming voetbal=football
soccer=football toernooi=tournament wedstrijd=match sport=sports sportdag=sports,day schaatsen=skating klimmen=climbing tafeltennis=tabletennis
yoga=yoga meditatie=meditation mediteren=meditation
buurt=neighbourhood wijk=neighbourhood neighborhood=neighbourhood buurtfeest=neighbourhood,party straatfeest=street,party straat=street
bewoners=resident bewonersavond=resident,evening residents=resident informatieavond=information,evening inloop=dropin inloopavond=dropin,evening
vergadering=meeting bijeenkomst=meeting raadsvergadering=council,meeting gemeenteraad=council raad=council
opening=opening open=open dagopen=open opendag=open,day herdenking=memorial dodenherdenking=memorial intocht=arrival aankomst=arrival
tentoonstelling=exhibition expositie=exhibition exhibit=exhibition museum=museum bibliotheek=library kerk=church molen=mill kasteel=castle
boot=boat vaartocht=boat,tour rondvaart=boat,tour haven=harbour water=water rivier=river licht=light lichtjes=light lichtfestival=light,festival
vuurwerk=fireworks optocht=parade kermis=funfair taalcafe=language,cafe taal=language boek=book boeken=book boekenclub=book,club leesclub=book,club
boekpresentatie=book,launch schrijver=author dichter=poet poezie=poetry poëzie=poetry gedichten=poetry
nederlands=dutch nederlandse=dutch engels=english engelse=english nieuwkomers=newcomer newcomers=newcomer
vrijwilligers=volunteer volunteers=volunteer schoonmaak=cleanup opschoondag=cleanup,day opruimactie=cleanup cleanup=cleanup zwerfafval=litter
repaircafe=repair,cafe reparatie=repair herstel=repair kleding=clothes kledingruil=clothes,swap ruil=swap ruilbeurs=swap plant=plant planten=plant plantenruil=plant,swap
een=1 twee=2 drie=3 vier=4 vijf=5 zes=6 zeven=7 acht=8 negen=9 tien=10 elf=11 twaalf=12 twintig=20 dertig=30 veertig=40 vijftig=50
zestig=60 zeventig=70 tachtig=80 negentig=90 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 twelve=12
twenty=20 thirty=30 forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90 dertigers=30 veertigers=40 vijftigers=50
vijftigplussers=50 zestigplussers=60 tweede=2 second=2 derde=3 third=3 vierde=4 fourth=4 vijfde=5 fifth=5 zesde=6 sixth=6 achtste=8 negende=9 ninth=9
maandag=monday dinsdag=tuesday woensdag=wednesday donderdag=thursday vrijdag=friday zaterdag=saturday zondag=sunday
januari=january februari=february maart=march mei=may juni=june juli=july augustus=august oktober=october
toren=tower domtoren=dom,tower brug=bridge station=station kazerne=station brandweer=fire politie=police ziekenhuis=hospital
school=school stad=city binnenstad=city centrum=centre town=city dorp=village platteland=countryside zee=sea meer=lake eiland=island berg=mountain
toekomst=future geschiedenis=history historische=historic verleden=past wetenschap=science techniek=technology stroomnet=power,grid energie=energy
klimaat=climate groente=vegetable groenten=vegetable fruit=fruit vergeten=forgotten vlees=meat vis=fish mosselen=mussel soep=soup koffie=coffee thee=tea
foto=photo foto's=photo fotos=photo beeld=image kunst=art kunstenaar=artist beeldende=visual schilderij=painting schilderijen=painting
zonsopkomst=sunrise zonsopgang=sunrise zonsondergang=sunset maan=moon vuur=fire ijs=ice sneeuw=snow regen=rain
limonade=lemonade disco=disco speeddaten=speed,date speeddate=speed,date speeddating=speed,date dating=date tafel=table tennis=tennis zaal=hall
hoorn=horn blazen=blow blowing=blow blaas=blow slagwerk=percussion trommel=drum dansers=dancer zanger=singer zangeres=singer band=band
beklimmen=climb beklim=climb klim=climb gids=guide gidsen=guide treden=steps straatmuziek=street,music
veilig=safe bankieren=banking computer=computer telefoon=phone belasting=tax hulp=help spreekuur=consultation
wijnen=wine bieren=beer kazen=cheese hond=dog honden=dog paard=horse paarden=horse dieren=animal dier=animal boerderij=farm
vrienden=friend vriend=friend oorlog=war bevrijding=liberation vrede=peace koning=king koningin=queen koningsdag=kings,day
intocht=arrival komt=come finale=final halve=half voorronde=heat winnaar=winner dichters=poet jury=jury
jaren=year jaar=year gratis=free groot=big grote=big klein=small kleine=small nieuw=new nieuwe=new oud=old oude=old laatste=last eerste=first
`

/** Folded Dutch word → English words. */
export const glossary: ReadonlyMap<string, readonly string[]> = new Map(
  entries
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [word = '', meaning = ''] = entry.split('=')
      return [word.normalize('NFKD').replaceAll(/\p{M}/gu, ''), meaning.split(',')]
    }),
)

/** Words so common in calendars that sharing them says little. */
export const genericWords: ReadonlySet<string> = new Set(
  `concert festival workshop market party evening afternoon morning night day show live course lesson lecture tour walk music
  theatre film game meeting open free new big small special edition editie weekend drinks dance food exhibition family kids
  club cafe summer winter autumn spring christmas tast cours lesson guid km kilomet uur hour final match concert`.split(
    /\s+/,
  ),
)

export const stopWords: ReadonlySet<string> = new Set(
  `de het een en van in op te ten ter bij aan met voor door naar om over uit tot als is er je jouw onze ons uw t s n the a an of and
  at on in to for with by from your our we is it its o und der die das le la les du des et au aux i ft feat featuring vs
  presenteert presents uitverkocht soldout sold out tickets kaarten gratis entree extra wegens succes reprise aangepaste tijd verplaatst
  geannuleerd afgelast cancelled nieuwe datum komt aan zijn haar hun wordt worden tijdens langs rond jaar year years jaren door`.split(
    /\s+/,
  ),
)
