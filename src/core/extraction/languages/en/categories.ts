import type { CategoryWords } from '../default-categories.ts';

export const englishCategories: CategoryWords = {
  personal_details:
    'born (?:in|on)|grew up in|hometown|birthday|phone number|e-?mail address|home address|' +
    'moved (?:from|to)|lives? in|is from|nationality|turned \\d+|years of age',
  family:
    'wife|husband|spouse|sons?|daughters?|mom|mum|mother|father|dad|sisters?|brothers?|' +
    'siblings?|parents?|grand(?:ma|pa|mother|father|parents?|sons?|daughters?|child|children)|' +
    'uncle|aunt|cousins?|nephews?|nieces?|\\p{L}+-in-law|kids?|child|children|twins|' +
    'fiancée?|girlfriend|boyfriend|family|baby|married',
  professional_details:
    'jobs?|career|works? (?:at|for|as|in)|worked (?:at|for|as)|at work|colleagues?|' +
    'co-?workers?|boss|promoted|promotion|salary|employer|hired|laid off|freelanc\\p{L}*|' +
    'internship|teaches|engineer|developer|nurse|chef|teacher|lawyer|accountant|' +
    'is an? (?:doctor|designer|writer|student|researcher)|as an? researcher|startup',
  sports:
    'marathon|gym|football|soccer|basketball|tennis|golf|swims?|swimming|cycling|yoga|' +
    'hik(?:e|es|ed|ing)|ski(?:s|ing)?|snowboard\\p{L}*|rock climbing|climbing|surfing|boxing|' +
    'volleyball|baseball|hockey|cricket|rugby|badminton|pilates|crossfit|triathlon|jogs?|' +
    'jogging|workouts?|works out|karate|judo|goes running|runs every|bouldering',
  travel:
    'trips?|travel(?:s|ed|led|ing|ling)?|vacation|flights?|fly|flying|flew|airport|hotels?|' +
    'backpack(?:ed|ing)|passport|cruise|abroad|got back from|sightseeing|' +
    '(?:planning|plans|wants|hopes|going) to visit',
  food:
    'eats?|eating|food|cooks?|cooking|bak(?:es|ed|ing)|restaurants?|recipes?|vegetarian|' +
    'vegan|gluten|coffee|tea|wine|beer|pizza|pasta|sushi|cheese|chocolate|breakfast|lunch|' +
    'dinner|meat|pork|seafood|shellfish|oysters|peanuts?|nuts|lasagna|cuisine|spicy|dairy|' +
    'lactose|soup|dessert|ice cream',
  music:
    'music|guitar|piano|violin|cello|drums|sings?|singing|songs?|bands?|concerts?|albums?|' +
    'orchestra|choir|jazz|playlists?|opera|flute|saxophone|musician',
  health:
    'allerg(?:y|ies|ic)|(?<!(?:is|as|was) an? )doctor|dentist|hospital|surgery|diagnosed|' +
    'diabet(?:es|ic)|asthma|migraines?|medications?|medicine|therapy|blood pressure|illness|' +
    'injur(?:y|ed)|broke (?:their|his|her|my|an?) (?:arm|leg|wrist|ankle|foot|hand|rib|nose)|' +
    'smok(?:e|es|ing)|pregnan(?:t|cy)|anxiety|depression|insomnia|vaccin\\p{L}+|penicillin|' +
    'physiotherapy|headaches?|knee pain|back pain',
  technology:
    'computers?|laptops?|iphones?|ipads?|macbook|android|smartphones?|software|programming|' +
    'coding|python|javascript|typescript|linux|macos|vs code|neovim|vim|docker|kubernetes|' +
    'github|api|apps?|websites?|servers?|databases?|machine learning|ai',
  hobbies:
    'hobby|hobbies|paint(?:s|ed|ing)|draws|drawing|garden(?:s|ing)|knit(?:s|ting)|' +
    'photography|fishing|camping|chess|board games?|pottery|sew(?:s|ing)|woodworking|' +
    'bird ?watching|collects|crochet(?:s|ing)?|origami|puzzles|community orchestra',
  fashion:
    'fashion|clothes|clothing|dresses|shoes|sneakers|outfits?|jeans|wears|jackets?|' +
    'jewell?ery|makeup|handbags?|wardrobe',
  entertainment:
    'movies?|films?|tv|netflix|books?|novels?|video games?|playstation|xbox|nintendo|' +
    'theat(?:er|re)|anime|podcasts?|comedy|comedies|cinema|youtube|binge-?watch\\p{L}*',
  milestones:
    'got (?:married|engaged)|wedding|graduated|had a baby|gave birth|promoted|retired|' +
    'anniversary|bought (?:a|an|their|his|her) (?:first )?(?:house|home|apartment|flat)|' +
    'turned \\d+|divorced|adopted an?|just joined|was born on',
};
