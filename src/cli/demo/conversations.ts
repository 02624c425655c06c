/** One `add_memory` each; `about` is its title. */
export const conversations = [
  {
    about: 'Monday: settling in',
    run_id: 'settling-in',
    timestamp: Date.UTC(2025, 8, 1, 18) / 1000,
    messages: [
      {
        role: 'user',
        content:
          'Hi there! I moved to Porto last month, into a small flat on Rua do Almada with my cat Biscuit.',
      },
      { role: 'assistant', content: 'Welcome to Porto! How do you like the flat so far?' },
      {
        role: 'user',
        content:
          'Lovely, thanks! I am allergic to hazelnuts, so please leave them out of every recipe. My swimming class is on Tuesdays at seven in the evening.',
      },
      { role: 'assistant', content: 'Understood, no hazelnuts. Enjoy the swimming!' },
      { role: 'user', content: 'Thank you! What should I bring to the first lesson?' },
    ],
  },
  {
    about: 'Two weeks later: a trip',
    run_id: 'trip-to-tallinn',
    timestamp: Date.UTC(2025, 8, 15, 9) / 1000,
    messages: [
      {
        role: 'user',
        content:
          'Hello again! In May I am flying to Tallinn for ten days with my brother Ilya. Can you help me plan?',
      },
      { role: 'assistant', content: 'With pleasure! Where will the two of you stay?' },
      {
        role: 'user',
        content:
          'We booked a room near the Telliskivi market. Ilya wants to see the seaplane museum, and I would rather walk in Kadriorg park.',
      },
      { role: 'assistant', content: 'Both fit into one day. Shall I write it down?' },
      { role: 'user', content: 'Yes, please.' },
    ],
  },
  {
    about: 'In October: work',
    run_id: 'new-job',
    timestamp: Date.UTC(2025, 9, 6, 20) / 1000,
    messages: [
      {
        role: 'user',
        content:
          'Hey! I start a new job at the botanical garden on 3 November, in the seed bank. My manager is called Rosalind Teixeira.',
      },
      { role: 'assistant', content: 'Congratulations!' },
    ],
  },
];

/** `answer` is a word of the memory that should come first; null if nothing should be found. */
export const questions = [
  { query: 'What is Mara allergic to?', answer: 'hazelnuts' },
  { query: 'Who is flying to Tallinn with her?', answer: 'Ilya' },
  { query: 'Which market is the room near?', answer: 'Telliskivi' },
  { query: 'Who is her manager?', answer: 'Rosalind' },
  { query: 'Does she play an instrument?', answer: null },
];
