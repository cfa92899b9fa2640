/** Where the demo's visitors live, and the languages of their browsers. */
import type { Weighted } from './create-choice.ts';

export type Place = {
  city: string;
  region: string;
  regionCode: string;
  postalCodes: readonly string[];
  timezone: string;
  /** Set if the place speaks another language than most of the country. */
  languages?: Weighted<string>;
};

export type Country = {
  code: string;
  continent: 'AF' | 'AS' | 'EU' | 'NA' | 'OC' | 'SA';
  languages: Weighted<string>;
  places: Weighted<Place>;
};

function place(
  city: string,
  [region, regionCode]: readonly [string, string],
  postalCodes: string,
  timezone: string,
  languages?: Weighted<string>,
): Place {
  const codes = postalCodes === '' ? [''] : postalCodes.split(', ');
  return { city, region, regionCode, postalCodes: codes, timezone, ...(languages && { languages }) };
}

const mostly = (language: string): Weighted<string> => [
  [82, language],
  [18, 'en'],
];
const english: Weighted<string> = [
  [94, 'en'],
  [3, 'es'],
  [1, 'zh'],
  [1, 'de'],
  [1, 'fr'],
];

const berlin = 'Europe/Berlin';
const newYork = 'America/New_York';
const chicago = 'America/Chicago';
const losAngeles = 'America/Los_Angeles';

export const demoCountries: Weighted<Country> = [
  [
    250,
    {
      code: 'DE',
      continent: 'EU',
      languages: [
        [80, 'de'],
        [14, 'en'],
        [2, 'tr'],
        [2, 'uk'],
        [2, 'pl'],
      ],
      places: [
        [24, place('Berlin', ['Berlin', 'BE'], '10115, 10245, 10437, 10999, 12047, 13353', berlin)],
        [15, place('Hamburg', ['Hamburg', 'HH'], '20095, 20357, 22303, 22765', berlin)],
        [16, place('Munich', ['Bavaria', 'BY'], '80331, 80799, 81541, 81667', berlin)],
        [11, place('Cologne', ['North Rhine-Westphalia', 'NW'], '50667, 50823, 51103', berlin)],
        [10, place('Frankfurt am Main', ['Hesse', 'HE'], '60311, 60316, 60594', berlin)],
        [8, place('Stuttgart', ['Baden-Württemberg', 'BW'], '70173, 70372, 70565', berlin)],
        [6, place('Leipzig', ['Saxony', 'SN'], '04109, 04229, 04317', berlin)],
        [5, place('Hanover', ['Lower Saxony', 'NI'], '30159, 30451', berlin)],
        [3, place('Nuremberg', ['Bavaria', 'BY'], '90402, 90459', berlin)],
        [2, place('Karlsruhe', ['Baden-Württemberg', 'BW'], '76131, 76137', berlin)],
      ],
    },
  ],
  [
    200,
    {
      code: 'US',
      continent: 'NA',
      languages: english,
      places: [
        [17, place('New York', ['New York', 'NY'], '10001, 10011, 10016, 10027', newYork)],
        [6, place('Brooklyn', ['New York', 'NY'], '11201, 11215, 11222', newYork)],
        [14, place('San Francisco', ['California', 'CA'], '94103, 94107, 94110, 94117', losAngeles)],
        [9, place('Los Angeles', ['California', 'CA'], '90012, 90026, 90034', losAngeles)],
        [10, place('Seattle', ['Washington', 'WA'], '98101, 98103, 98122', losAngeles)],
        [5, place('Portland', ['Oregon', 'OR'], '97201, 97209, 97214', losAngeles)],
        [9, place('Austin', ['Texas', 'TX'], '78701, 78704, 78745', chicago)],
        [8, place('Chicago', ['Illinois', 'IL'], '60601, 60614, 60647', chicago)],
        [7, place('Boston', ['Massachusetts', 'MA'], '02108, 02116, 02130', newYork)],
        [6, place('Denver', ['Colorado', 'CO'], '80202, 80205, 80211', 'America/Denver')],
        [5, place('Atlanta', ['Georgia', 'GA'], '30303, 30308, 30312', newYork)],
        [4, place('Washington', ['District of Columbia', 'DC'], '20001, 20009', newYork)],
      ],
    },
  ],
  [
    75,
    {
      code: 'GB',
      continent: 'EU',
      languages: english,
      places: [
        [55, place('London', ['England', 'ENG'], 'E8, EC1V, N1, SE1, SW9, W1T', 'Europe/London')],
        [17, place('Manchester', ['England', 'ENG'], 'M1, M4, M20', 'Europe/London')],
        [13, place('Bristol', ['England', 'ENG'], 'BS1, BS6', 'Europe/London')],
        [15, place('Edinburgh', ['Scotland', 'SCT'], 'EH1, EH6', 'Europe/London')],
      ],
    },
  ],
  [
    55,
    {
      code: 'AT',
      continent: 'EU',
      languages: mostly('de'),
      places: [
        [66, place('Vienna', ['Vienna', '9'], '1010, 1070, 1090, 1200', 'Europe/Vienna')],
        [20, place('Graz', ['Styria', '6'], '8010, 8020', 'Europe/Vienna')],
        [14, place('Linz', ['Upper Austria', '4'], '4020', 'Europe/Vienna')],
      ],
    },
  ],
  [
    50,
    {
      code: 'CH',
      continent: 'EU',
      languages: mostly('de'),
      places: [
        [48, place('Zurich', ['Zurich', 'ZH'], '8001, 8004, 8005, 8047', 'Europe/Zurich')],
        [18, place('Bern', ['Bern', 'BE'], '3008, 3011', 'Europe/Zurich')],
        [14, place('Basel', ['Basel-City', 'BS'], '4051, 4056', 'Europe/Zurich')],
        [20, place('Geneva', ['Geneva', 'GE'], '1201, 1205', 'Europe/Zurich', mostly('fr'))],
      ],
    },
  ],
  [
    48,
    {
      code: 'FR',
      continent: 'EU',
      languages: mostly('fr'),
      places: [
        [58, place('Paris', ['Île-de-France', 'IDF'], '75001, 75010, 75011, 75018', 'Europe/Paris')],
        [18, place('Lyon', ['Auvergne-Rhône-Alpes', 'ARA'], '69002, 69007', 'Europe/Paris')],
        [13, place('Toulouse', ['Occitanie', 'OCC'], '31000', 'Europe/Paris')],
        [11, place('Nantes', ['Pays de la Loire', 'PDL'], '44000', 'Europe/Paris')],
      ],
    },
  ],
  [
    44,
    {
      code: 'NL',
      continent: 'EU',
      languages: [
        [68, 'nl'],
        [32, 'en'],
      ],
      places: [
        [52, place('Amsterdam', ['North Holland', 'NH'], '1012, 1054, 1091', 'Europe/Amsterdam')],
        [24, place('Rotterdam', ['South Holland', 'ZH'], '3011, 3039', 'Europe/Amsterdam')],
        [24, place('Utrecht', ['Utrecht', 'UT'], '3511, 3572', 'Europe/Amsterdam')],
      ],
    },
  ],
  [
    34,
    {
      code: 'PL',
      continent: 'EU',
      languages: mostly('pl'),
      places: [
        [48, place('Warsaw', ['Mazovia', '14'], '00-001, 02-516', 'Europe/Warsaw')],
        [28, place('Krakow', ['Lesser Poland', '12'], '30-001, 31-042', 'Europe/Warsaw')],
        [24, place('Wroclaw', ['Lower Silesia', '02'], '50-001', 'Europe/Warsaw')],
      ],
    },
  ],
  [
    30,
    {
      code: 'ES',
      continent: 'EU',
      languages: mostly('es'),
      places: [
        [45, place('Madrid', ['Madrid', 'MD'], '28001, 28012', 'Europe/Madrid')],
        [38, place('Barcelona', ['Catalonia', 'CT'], '08001, 08012', 'Europe/Madrid')],
        [17, place('Valencia', ['Valencia', 'VC'], '46001', 'Europe/Madrid')],
      ],
    },
  ],
  [
    28,
    {
      code: 'IT',
      continent: 'EU',
      languages: mostly('it'),
      places: [
        [50, place('Milan', ['Lombardy', '25'], '20121, 20144', 'Europe/Rome')],
        [32, place('Rome', ['Lazio', '62'], '00184, 00153', 'Europe/Rome')],
        [18, place('Turin', ['Piedmont', '21'], '10121', 'Europe/Rome')],
      ],
    },
  ],
  [
    24,
    {
      code: 'SE',
      continent: 'EU',
      languages: mostly('sv'),
      places: [
        [68, place('Stockholm', ['Stockholm', 'AB'], '111 20, 118 46', 'Europe/Stockholm')],
        [32, place('Gothenburg', ['Västra Götaland', 'O'], '411 03', 'Europe/Stockholm')],
      ],
    },
  ],
  [
    14,
    {
      code: 'DK',
      continent: 'EU',
      languages: mostly('da'),
      places: [[1, place('Copenhagen', ['Capital Region', '84'], '1050, 2200', 'Europe/Copenhagen')]],
    },
  ],
  [
    12,
    {
      code: 'NO',
      continent: 'EU',
      languages: mostly('nb'),
      places: [[1, place('Oslo', ['Oslo', '03'], '0150, 0552', 'Europe/Oslo')]],
    },
  ],
  [
    12,
    {
      code: 'FI',
      continent: 'EU',
      languages: mostly('fi'),
      places: [[1, place('Helsinki', ['Uusimaa', '18'], '00100, 00530', 'Europe/Helsinki')]],
    },
  ],
  [
    20,
    {
      code: 'CZ',
      continent: 'EU',
      languages: mostly('cs'),
      places: [
        [70, place('Prague', ['Prague', '10'], '110 00, 130 00', 'Europe/Prague')],
        [30, place('Brno', ['South Moravian', '64'], '602 00', 'Europe/Prague')],
      ],
    },
  ],
  [
    18,
    {
      code: 'BE',
      continent: 'EU',
      languages: mostly('nl'),
      places: [
        [45, place('Brussels', ['Brussels', 'BRU'], '1000, 1050', 'Europe/Brussels', mostly('fr'))],
        [30, place('Antwerp', ['Flanders', 'VLG'], '2000', 'Europe/Brussels')],
        [25, place('Ghent', ['Flanders', 'VLG'], '9000', 'Europe/Brussels')],
      ],
    },
  ],
  [
    16,
    {
      code: 'PT',
      continent: 'EU',
      languages: mostly('pt'),
      places: [
        [68, place('Lisbon', ['Lisbon', '11'], '1100-148, 1200-109', 'Europe/Lisbon')],
        [32, place('Porto', ['Porto', '13'], '4000-322', 'Europe/Lisbon')],
      ],
    },
  ],
  [
    12,
    {
      code: 'IE',
      continent: 'EU',
      languages: english,
      places: [[1, place('Dublin', ['Leinster', 'L'], 'D02, D08', 'Europe/Dublin')]],
    },
  ],
  [
    10,
    {
      code: 'RO',
      continent: 'EU',
      languages: mostly('ro'),
      places: [[1, place('Bucharest', ['Bucharest', 'B'], '010011, 030167', 'Europe/Bucharest')]],
    },
  ],
  [
    10,
    {
      code: 'UA',
      continent: 'EU',
      languages: mostly('uk'),
      places: [[1, place('Kyiv', ['Kyiv City', '30'], '01001, 03150', 'Europe/Kyiv')]],
    },
  ],
  [
    36,
    {
      code: 'CA',
      continent: 'NA',
      languages: english,
      places: [
        [48, place('Toronto', ['Ontario', 'ON'], 'M5H, M5V, M6J', 'America/Toronto')],
        [27, place('Vancouver', ['British Columbia', 'BC'], 'V6B, V5T', 'America/Vancouver')],
        [25, place('Montreal', ['Quebec', 'QC'], 'H2X, H2T', 'America/Toronto', mostly('fr'))],
      ],
    },
  ],
  [
    10,
    {
      code: 'MX',
      continent: 'NA',
      languages: mostly('es'),
      places: [[1, place('Mexico City', ['Mexico City', 'CMX'], '06000, 06700', 'America/Mexico_City')]],
    },
  ],
  [
    24,
    {
      code: 'BR',
      continent: 'SA',
      languages: mostly('pt'),
      places: [
        [68, place('São Paulo', ['São Paulo', 'SP'], '01310-100, 05422-000', 'America/Sao_Paulo')],
        [32, place('Rio de Janeiro', ['Rio de Janeiro', 'RJ'], '20040-002', 'America/Sao_Paulo')],
      ],
    },
  ],
  [
    8,
    {
      code: 'AR',
      continent: 'SA',
      languages: mostly('es'),
      places: [
        [1, place('Buenos Aires', ['Buenos Aires', 'C'], 'C1001, C1425', 'America/Argentina/Buenos_Aires')],
      ],
    },
  ],
  [
    50,
    {
      code: 'IN',
      continent: 'AS',
      languages: [
        [93, 'en'],
        [7, 'hi'],
      ],
      places: [
        [44, place('Bengaluru', ['Karnataka', 'KA'], '560001, 560034, 560102', 'Asia/Kolkata')],
        [22, place('Mumbai', ['Maharashtra', 'MH'], '400001, 400076', 'Asia/Kolkata')],
        [18, place('Hyderabad', ['Telangana', 'TS'], '500001, 500081', 'Asia/Kolkata')],
        [16, place('New Delhi', ['Delhi', 'DL'], '110001', 'Asia/Kolkata')],
      ],
    },
  ],
  [
    22,
    {
      code: 'JP',
      continent: 'AS',
      languages: mostly('ja'),
      places: [
        [76, place('Tokyo', ['Tokyo', '13'], '100-0001, 150-0002', 'Asia/Tokyo')],
        [24, place('Osaka', ['Osaka', '27'], '530-0001', 'Asia/Tokyo')],
      ],
    },
  ],
  [
    9,
    {
      code: 'KR',
      continent: 'AS',
      languages: mostly('ko'),
      places: [[1, place('Seoul', ['Seoul', '11'], '04524, 06164', 'Asia/Seoul')]],
    },
  ],
  [
    12,
    {
      code: 'SG',
      continent: 'AS',
      languages: english,
      places: [[1, place('Singapore', ['', ''], '018956, 069534', 'Asia/Singapore')]],
    },
  ],
  [
    9,
    {
      code: 'TW',
      continent: 'AS',
      languages: mostly('zh'),
      places: [[1, place('Taipei', ['Taipei', 'TPE'], '100, 106', 'Asia/Taipei')]],
    },
  ],
  [
    6,
    {
      code: 'HK',
      continent: 'AS',
      languages: mostly('zh'),
      places: [[1, place('Hong Kong', ['', ''], '', 'Asia/Hong_Kong')]],
    },
  ],
  [
    10,
    {
      code: 'TR',
      continent: 'AS',
      languages: mostly('tr'),
      places: [[1, place('Istanbul', ['Istanbul', '34'], '34000, 34710', 'Europe/Istanbul')]],
    },
  ],
  [
    7,
    {
      code: 'ZA',
      continent: 'AF',
      languages: english,
      places: [
        [60, place('Cape Town', ['Western Cape', 'WC'], '8001, 7925', 'Africa/Johannesburg')],
        [40, place('Johannesburg', ['Gauteng', 'GP'], '2000, 2196', 'Africa/Johannesburg')],
      ],
    },
  ],
  [
    5,
    {
      code: 'NG',
      continent: 'AF',
      languages: english,
      places: [[1, place('Lagos', ['Lagos', 'LA'], '100001, 101233', 'Africa/Lagos')]],
    },
  ],
  [
    4,
    {
      code: 'KE',
      continent: 'AF',
      languages: english,
      places: [[1, place('Nairobi', ['Nairobi', '30'], '00100', 'Africa/Nairobi')]],
    },
  ],
  [
    22,
    {
      code: 'AU',
      continent: 'OC',
      languages: english,
      places: [
        [46, place('Sydney', ['New South Wales', 'NSW'], '2000, 2010, 2042', 'Australia/Sydney')],
        [38, place('Melbourne', ['Victoria', 'VIC'], '3000, 3056', 'Australia/Melbourne')],
        [16, place('Brisbane', ['Queensland', 'QLD'], '4000', 'Australia/Brisbane')],
      ],
    },
  ],
  [
    8,
    {
      code: 'NZ',
      continent: 'OC',
      languages: english,
      places: [
        [70, place('Auckland', ['Auckland', 'AUK'], '1010, 1021', 'Pacific/Auckland')],
        [30, place('Wellington', ['Wellington', 'WGN'], '6011', 'Pacific/Auckland')],
      ],
    },
  ],
];
