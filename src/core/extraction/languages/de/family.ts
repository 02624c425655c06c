/** Relatives, friends, others whom one knows, and pets: the source of a pattern. */
export const germanFamily =
  '(?:frau|mann|partner(?:in)?|freund(?:in)?|mutter|mama|vater|papa|' +
  'schwester|bruder|sohn|tochter|' +
  'kind|baby|oma|opa|großmutter|großvater|tante|onkel|cousine?|nichte|neffe|chef(?:in)?|' +
  'kolleg(?:e|in)|nachbar(?:in)?|hund|katze|kater|mitbewohner(?:in)?)';
