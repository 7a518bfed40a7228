export const englishStories = `
# local | Footbridge over the Aire reopens after flood repairs
Walkers can once again cross the river at Kirkstall after an eighteen-month closure.
Engineers replaced both abutments and raised the deck by almost a metre.
The old timbers were found to be rotten from end to end.
Volunteers have turned what could be saved into benches along the towpath.
A sensor now warns the council when water reaches the lower beams.
The final bill came in slightly under four million pounds.
# local | Town hall clock stops for the first time in a century
A cracked bearing has silenced the clock that has chimed over Otley since 1911.
Residents noticed on Monday that it was permanently ten past four.
The part has to be cast by one of two foundries that still make it.
Until spring a recording will mark noon from the roof of the library.
The clockmaker's grandson offered his own tools for the repair.
An appeal for the remaining funds opens next week.
# local | Market traders win fight over Sunday opening
Stallholders at Kirkgate may open on Sundays from the new year after a vote by councillors.
Nearly four hundred people packed the public gallery.
Opponents feared that small shops in the arcades would lose trade.
A trial last summer brought in eleven thousand extra visitors.
Cleaning and security costs will be shared between the city and the traders.
The arrangement will be reviewed after twelve months.
# local | Otters return to canal after seventy years
Trail cameras have caught a female and two cubs near the locks at Apperley Bridge.
Ecologists credit cleaner water and a ban on certain pesticides.
Fishermen had reported half-eaten bream for several weeks.
Dog walkers are asked to keep to the eastern path until spring.
An artificial holt built by schoolchildren appears to be in use.
The last confirmed sighting on this stretch dates from the nineteen-fifties.
# local | Village shop saved by three hundred shareholders
Residents of Askwith have bought the shop, the post office counter and the flat above it.
Shares cost fifty pounds and nobody may hold more than twenty.
The previous owners retire after thirty-four years behind the till.
A coffee corner and parcel lockers are planned for the storeroom.
Half of the volunteers on the rota are younger than twenty-five.
The first general meeting will be held in the churchyard if it stays dry.
# local | Night buses return on four routes
Shift workers at the hospital no longer depend on taxis after midnight.
The operator withdrew the services during the driver shortage.
Fares stay capped at two pounds until the end of March.
Vehicles will run every forty minutes between one and five.
A petition started by nurses gathered nine thousand names.
Drivers receive a supplement for the unsocial hours.
# business | Textile mill swaps coal-era boilers for heat pumps
One of the last working mills in the valley has cut its gas use by nine tenths.
Warm rinsing water is now used twice before it leaves the building.
The installation occupies a weaving shed that stood empty for decades.
Managers expect to recover the investment in seven years.
Two apprentices were taken on to look after the system.
Rival firms from Huddersfield have already come to look.
# business | Brewery to print its beer prices in minutes of wages
A taproom in Holbeck has started an experiment to show how pay and prices drift apart.
A pint of bitter currently stands at twenty-six minutes.
Regulars say the board has changed what they talk about.
The figure is updated on the first Friday of each month.
Staff came up with the plan during a stocktake.
Economists at the university have asked for the data.
# business | Bicycle courier firm buys its landlord's building
The cooperative of sixty riders now owns the railway arches it rented for a decade.
Members each lent between one hundred and five thousand pounds.
A workshop, showers and a canteen will share the three vaults.
Deliveries within the ring road have doubled since the clean-air charge.
The seller turned down a higher offer from a gym chain.
Two arches will be let to start-ups at cost.
# business | Cheesemaker revives a Wensleydale recipe from 1890
A notebook found behind a range in Hawes held instructions nobody had followed for generations.
The curds are cut by hand and left overnight beneath wet linen.
The result is softer and sharper than the supermarket version.
Only forty wheels a week leave the dairy.
A London restaurant has ordered the whole of January.
The notebook itself goes on show at the creamery museum.
# culture | Lost ballet score turns up in a piano stool
A removal crew in Harrogate discovered ninety pages of manuscript under a cushion.
Musicologists date the work to the winter of 1926.
The composer was thought to have burned everything before emigrating.
A student orchestra has pieced together the missing viola part.
The first performance will use the original costume sketches.
The owner of the stool intends to keep practising on it.
# culture | Gallery lets visitors choose what to hang
For three months an empty wall will be filled by public vote.
People may pick from two thousand works that rarely leave the store.
A stormy seascape by an unknown painter leads the early count.
Curators promised not to interfere, whatever the outcome.
Labels are being written by pupils from nearby schools.
The least popular picture will get a room to itself.
# culture | Mobile cinema tours the dales in a converted horsebox
Twelve seats, a screen and a popcorn machine fit behind an ageing Land Rover.
The projectionist learned her trade in a Bradford multiplex.
Villages nominate a film and provide the tea urn.
On clear evenings the doors open and the audience sits on hay bales.
Solar panels on the roof power two screenings a night.
Bookings run until the lambing season.
# culture | Choir of commuters performs on the 07:42
Passengers between Ilkley and Leeds have rehearsed in carriage C since September.
Nobody is allowed to sing louder than the announcements.
The group began when a signal failure stranded a music teacher.
A first concert on the concourse drew three hundred listeners.
The rail company has lent them a ticket office for storage.
New altos are especially welcome.
# sport | Fell runner breaks record that stood since 1984
Conditions were close to freezing when Beth Alderson reached the trig point on Ingleborough.
She took ninety seconds off the old time.
The previous holder was waiting at the finish with a flask.
Loose scree on the descent cost her a shoe.
More than six hundred runners had started in the fog.
Next summer she hopes to attempt the full round of the lakes.
# sport | Rugby club trades floodlights for fireflies
A pitch in Wharfedale goes dark at nine to protect insects along the river.
Evening training has moved forward by an hour.
The lamps that remain are amber and point straight down.
Conservationists counted four times as many glow-worms this year.
The league has agreed to earlier kick-offs in the autumn.
Players admit that the walk home has become more interesting.
# sport | Walking cricket league doubles in a single season
Twenty-two teams of over-fifties now meet on weekday afternoons.
Running leads to a penalty of five and a round of buns.
General practitioners have begun to prescribe membership.
The oldest opening batsman is ninety-one.
A foam ball makes helmets unnecessary.
The final will be played indoors if the ground is waterlogged.
# local | Library opens a room where nobody may whisper
In the former map store people are expected to talk at full volume.
Language learners and rehearsing actors have claimed the morning slots.
Cork panels keep the noise from the reading room upstairs.
The idea came from a note in the suggestions box.
Complaints so far concern only the quality of the coffee.
A second noisy room is under consideration at the branch in Armley.
# business | Allotment holders sell surplus from an honesty van
A retired milk float stops at six estates with whatever has ripened that week.
Customers weigh their own vegetables and pay what they think is fair.
Takings are split between seeds and a hardship fund.
Courgettes, the organisers say, are always free.
The float covers eleven miles on one charge.
Two schools have asked for it to call at the gate.
# culture | Bell ringers recruit with a silent practice room
Computer simulators let beginners learn without waking the parish.
The tower at Guiseley had been down to three regulars.
Since the summer fourteen newcomers have joined, most of them teenagers.
A screen shows how late each stroke would have sounded.
The full peal attempt in December will last about three hours.
Neighbours will receive earplugs and an invitation.
`
