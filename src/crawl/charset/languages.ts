// What undeclared text may be written in: for each language its letters outside ASCII, most frequent first,
// and the single-byte encodings its pages use. Order among encodings is the order of preference on a tie.

export interface Language {
  name: string
  /** Latin text mixes these letters into ASCII words; other scripts write whole words with them. */
  latin: boolean
  letters: string
  encodings: string[]
  /** Share of these letters among characters outside ASCII; the rest is quotes, dashes and signs. */
  letterShare: number
}

const WESTERN = ['windows-1252']
const CENTRAL = ['windows-1250', 'iso-8859-2']
const CYRILLIC = ['windows-1251', 'koi8-r', 'iso-8859-5', 'ibm866', 'x-mac-cyrillic']

export const LANGUAGES: Language[] = [
  latin('english', 'éèïöüñçáóíàâêëä', WESTERN, 0.3),
  latin('dutch', 'ëéïèöüóêáàç', WESTERN, 0.7),
  latin('french', 'éèàêçùûîôâëïœ', WESTERN),
  latin('german', 'üäößéà', WESTERN),
  latin('spanish', 'óíáñéúüç', WESTERN),
  latin('portuguese', 'ãçáéíóêõúâàô', WESTERN),
  latin('catalan', 'éàóèíòúçïü', WESTERN),
  latin('italian', 'àèùòìé', WESTERN),
  latin('swedish', 'äåöé', WESTERN),
  latin('danish', 'øåæéöü', WESTERN),
  latin('icelandic', 'íðáþóéúöæý', WESTERN),
  latin('estonian', 'äõüöšž', [...WESTERN, 'windows-1257']),
  latin('czech', 'íáéěřýčžšůúňóťď', CENTRAL),
  latin('slovak', 'áíéčýšžúľťňôäóďĺŕ', CENTRAL),
  latin('polish', 'łąęóżśćńź', CENTRAL),
  latin('hungarian', 'éáöóőíüúű', CENTRAL),
  latin('croatian', 'čšžćđ', CENTRAL),
  latin('romanian', 'ăîşţâ', CENTRAL),
  latin('turkish', 'ıüşçğöİâî', ['windows-1254']),
  latin('latvian', 'āīēšūņļķģžč', ['windows-1257']),
  latin('lithuanian', 'ėųšžūįčąę', ['windows-1257']),
  script('russian', 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё', CYRILLIC),
  script('bulgarian', 'аоиетнрсвлкдпмзъбгуяцчйжхщшфью', CYRILLIC),
  script('ukrainian', 'оанивіретскулдмпябзгйьчхцєюїшжщфґ', [
    'windows-1251',
    'koi8-u',
    'iso-8859-5',
  ]),
  script('serbian', 'аиоенрсјутдвлкмпгбзшчњжцхљћђџф', ['windows-1251', 'iso-8859-5']),
  script('greek', 'αοιετσνηυρπκμλςωόίάέδγήθύχφβώξζψϊ', ['windows-1253', 'iso-8859-7']),
  script('hebrew', 'יוהלארתבשמםנדחקעפכטסגזןךצףץ', ['windows-1255']),
  script('arabic', 'اليمونرتبعدسفهةكقحجىصشطخأذضزثئءغظإؤآ', ['windows-1256', 'iso-8859-6']),
  script('thai', 'านรอกเง่ีมยล้วทัดตสิหปคแะบุจ์พูขใไถชืำึผซธโณศษภ็ฟญฉฝฐๆ๊ฆ๋ฎฏ', ['windows-874']),
]

/** Frequent characters of the languages written with pairs of bytes. */
export const CJK_LANGUAGES = [
  {
    encodings: ['shift_jis', 'euc-jp'],
    frequent:
      'のにはをがとてでたしいなるれんかもらっすこりあまさ日本年人大一国会中出時事行分見前後上生者新',
  },
  {
    encodings: ['euc-kr'],
    frequent: '이다는에을의가고지하로기사도한은를들나서어리아자시대정인일있스부그게해수보만',
  },
  {
    encodings: ['gb18030'],
    frequent:
      '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里',
  },
  {
    encodings: ['big5'],
    frequent:
      '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡',
  },
]

function latin(name: string, letters: string, encodings: string[], letterShare = 0.9): Language {
  return { name, latin: true, letters, encodings, letterShare }
}

function script(name: string, letters: string, encodings: string[]): Language {
  return { name, latin: false, letters, encodings, letterShare: 0.96 }
}
