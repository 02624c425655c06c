import { describe, expect, it } from 'vitest';
import { detectAskedRole } from '../../src/core/search/query/asked-role.ts';

describe('a question about what the assistant said', () => {
  it.each([
    'What did you recommend?',
    'What did you just tell me about tea?',
    "What'd you say about the train?",
    "Didn't you tell me to wait?",
    'Didn’t you suggest a museum?',
    'Which book had you suggested?',
    'What have you told me about Rome?',
    "Haven't you already explained this?",
    'You told me earlier about a hotel',
    "The book you'd recommended",
    "Which places you've listed are near the sea?",
    'The restaurant that you mentioned last week',
    'Can you remind me what you gave me as a plan?',
    'What was your recommendation for shoes?',
    'What were you saying about wine?',
    'Your earlier suggestion for dinner',
    'Remind me of your advice on running',
    'your tips from last week',
    'What did the assistant propose?',
    'How did you translate the poem?',
  ])('asks for its words: %s', (query) => {
    expect(detectAskedRole(query)).toBe('assistant');
  });

  it.each([
    'Can you suggest a restaurant?',
    'What would you recommend for dinner?',
    'Could you explain the plan?',
    'Would you say I like tea?',
    'What would you have recommended?',
    "Couldn't you give me some tips?",
    'What do you recommend for a runner?',
    'Do you have a recommendation?',
    "What is your advice on my diet, and what's your answer?",
    "Which wine you'd recommend",
    'I want you to recommend a film',
    'Will you tell me where I live?',
    "Why don't you suggest something new?",
    'Did you know where I live?',
    'Have you any idea what I eat?',
    'What did I tell you?',
    'Which restaurant did my sister recommend?',
  ])('is not one that asks for new words: %s', (query) => {
    expect(detectAskedRole(query)).toBe('user');
  });
});
