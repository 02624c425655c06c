import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadStemmers } from '../../src/core/language/stems.ts';
import { analyze } from '../../src/core/language/terms-of-text.ts';
import { refreshIndexTerms } from '../../src/core/memory/refresh-index-terms.ts';
import type { Store } from '../../src/core/ports/index.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

let engine: Engine;

beforeEach(async () => {
  engine = await startEngine();
});

afterEach(() => engine.stop());

async function remember(...texts: string[]): Promise<void> {
  for (const text of texts) {
    await engine.invoke('add_memory', { text, user_id: 'ann' }, { caller: owner });
  }
}

async function recall(query: string): Promise<string[]> {
  const asked = { query, user_id: 'ann', threshold: 0 };
  const { results } = await engine.invoke('search_memories', asked, { caller: owner });
  return results.map(({ memory }) => memory ?? '');
}

/** A memory, another one in the language, and a question for the first in other forms of words. */
const conversations = [
  {
    language: 'German',
    memory: 'Anna hat letztes Jahr zwei alte Häuser an der Ostsee gekauft.',
    other: 'Die Katze von Peter ist nicht gern draußen.',
    question: 'Wo ist das Haus, das sie kaufte?',
  },
  {
    language: 'French',
    memory: "Paul a commencé à l'école de musique avec ses enfants.",
    other: 'Le chat de la voisine dort dans le jardin.',
    question: 'Dans quelles écoles est son enfant ?',
  },
  {
    language: 'Spanish',
    memory: 'A Lucía le gustan las películas francesas antiguas.',
    other: 'El perro de mi hermana es muy grande.',
    question: '¿Qué película francesa es la que le gustó?',
  },
  {
    language: 'Italian',
    memory: 'Marco ha comprato due biciclette rosse per i suoi figli.',
    other: 'Il gatto della nonna non è mai in casa.',
    question: 'Di che colore è la bicicletta che ha per il figlio?',
  },
  {
    language: 'Portuguese',
    memory: 'A Joana trabalhou com crianças em duas escolas de Lisboa.',
    other: 'O cão do meu irmão não é muito grande.',
    question: 'Em que escola ela trabalha com uma criança?',
  },
  {
    language: 'Dutch',
    memory: 'Wij hebben twee katten en een paar kippen in de tuin.',
    other: 'De fiets van mijn broer is niet meer te vinden.',
    question: 'Hoe heet onze kat?',
  },
  {
    language: 'Swedish',
    memory: 'Erik har köpt tre gamla böcker om hundar.',
    other: 'Vi ska inte resa till Oslo den här sommaren.',
    question: 'Vad var det för hund i boken?',
  },
  {
    language: 'Danish',
    memory: 'Min søster har købt to hunde og en gammel bil.',
    other: 'Vi skal ikke rejse nogen steder, fordi det er for dyrt.',
    question: 'Hvad hedder hunden?',
  },
  {
    language: 'Norwegian',
    memory: 'Jeg har kjøpt to gamle båter av noen jeg ikke kjenner.',
    other: 'Hun skal ikke være hjemme i helgen, og det er synd.',
    question: 'Hva er det med båten?',
  },
  {
    language: 'Finnish',
    memory: 'Minulla on kaksi koiraa ja ne asuvat Helsingissä.',
    other: 'Hän ei ole vielä nähnyt tätä elokuvaa.',
    question: 'Mikä on koiran nimi?',
  },
  {
    language: 'Hungarian',
    memory: 'Nekem van két kutyám és egy nagyon öreg macskám.',
    other: 'Ő nem volt még a tengernél, mert messze van.',
    question: 'Hogy van a kutya?',
  },
  {
    language: 'Romanian',
    memory: 'Ea are două pisici și nu mai vrea câini în casă.',
    other: 'Fratele meu este la munte și nu se întoarce.',
    question: 'Care este pisica ei?',
  },
  {
    language: 'Turkish',
    memory: 'Benim iki kedim var ve onlar çok tembel.',
    other: 'Kardeşim bu yaz için bir araba aldı ama çok pahalı.',
    question: 'Bu kediler kimin?',
  },
  {
    language: 'Russian',
    memory: 'У меня живут две кошки и старая собака.',
    other: 'Мой брат не был в этом городе.',
    question: 'Какая у меня кошка?',
  },
  {
    language: 'Ukrainian',
    memory: 'Мені подобаються старі книги, які є вдома.',
    other: 'Його брат ще не був у цьому місті.',
    question: 'Яка книга є у мене?',
  },
  {
    language: 'Bulgarian',
    memory: 'Тя има две котки и една стара къща, която е в планината.',
    other: 'Брат ми не е бил в този град, защото е далече.',
    question: 'Къде е къщата?',
  },
  {
    language: 'Greek',
    memory: 'Έχω δύο γάτες και έναν σκύλο στο σπίτι.',
    other: 'Ο αδελφός μου δεν είναι στην πόλη.',
    question: 'Πού είναι η γάτα μου;',
  },
  {
    language: 'Arabic',
    memory: 'أنا أحب قراءة الكتب القديمة في المكتبة',
    other: 'ليس أخي في هذه المدينة',
    question: 'أين مكتبة الكتب؟',
  },
  {
    language: 'Hindi',
    memory: 'मुझे पुरानी किताबें पढ़ना पसंद है',
    other: 'मेरा भाई इस शहर में नहीं है',
    question: 'वह किताब क्या है',
  },
] as const;

describe.each(conversations)('a question in $language', ({ memory, other, question }) => {
  it('finds what holds its words in other forms, and nothing by its function words', async () => {
    await remember(memory, other);

    expect(await recall(question)).toEqual([memory]);
  });
});

describe('a project of several languages', () => {
  it('finds in each what is asked in it', async () => {
    const some = conversations.filter(({ language }) => {
      return ['German', 'Spanish', 'Dutch', 'Finnish', 'Russian', 'Arabic'].includes(language);
    });
    for (const { memory, other } of some) await remember(other, memory);
    await remember('She went hiking with her dogs');

    for (const { memory, question } of some) {
      expect((await recall(question))[0]).toBe(memory);
    }
  });

  it('finds names, whatever the languages of memory and question are', async () => {
    await remember('Alice lives in Lisbon', 'Bob ist nicht mehr in Hamburg zu Hause');

    expect(await recall('¿Dónde está la casa de Alice?')).toEqual(['Alice lives in Lisbon']);
    expect(await recall('Where does Bob live?')).toContain(
      'Bob ist nicht mehr in Hamburg zu Hause',
    );
  });

  it('finds English words in their forms as before', async () => {
    await remember('Wir gehen im Sommer mit der ganzen Familie wandern.');
    await remember('She went hiking', 'Nothing of interest');

    expect(await recall('Did she hike?')).toEqual(['She went hiking']);
  });

  it('finds a text that is too short to tell its language', async () => {
    await remember('Ich war gestern nicht in der Schule.', 'Häuser am See');

    expect(await recall('Haus')).toEqual(['Häuser am See']);
  });
});

describe('letters', () => {
  it.each([
    ['Wir waren in dem neuen Café und es war schön.', 'cafe'],
    ['Wir waren in dem Cafe und es war nett.', 'Café'],
    ['Die Straße ist wegen der Bauarbeiten nicht offen.', 'strasse'],
    ['Das ist die Strasse, in der wir wohnen.', 'Straße'],
    ['Ich habe für dich einen Müller gefunden.', 'Mueller'],
    ['Der Herr Mueller ist nicht da.', 'Müller'],
    ['La canción que me gusta es esta.', 'canciones'],
    ['Ella no está en el teléfono.', 'telefonos'],
    ['Jeg bor ikke i Århus, men i Sønderborg.', 'Aarhus'],
    ['He lives in Łódź', 'Lodz'],
  ])('of "%s" are found by "%s"', async (memory, query) => {
    await remember(memory);

    expect(await recall(query)).toEqual([memory]);
  });
});

describe('a script without spaces', () => {
  it.each([
    ['Japanese', '彼女は東京タワーの近くに住んでいます', '東京に住む', '猫が好きです'],
    ['Chinese', '我妹妹在北京大学学习音乐', '北京音乐', '他喜欢吃鱼'],
    ['Korean', '나는 고양이 두 마리를 키운다', '고양이', '오늘은 비가 온다'],
    ['Thai', 'ฉันเลี้ยงแมวสองตัวที่บ้าน', 'แมว', 'วันนี้ฝนตก'],
  ])('like that of %s is found by parts of its words', async (_, memory, query, other) => {
    await remember(memory, other);

    expect(await recall(query)).toEqual([memory]);
  });
});

describe('a store whose words an earlier version made', () => {
  const [{ memory, question }] = conversations;

  const longNote = (number: number) => `Das ist die ${number}. Notiz. ${'Notiz. '.repeat(4000)}`;

  async function makeOld(texts: readonly string[]): Promise<void> {
    await remember(...texts);
    const { store, projects, data_dir } = engine;
    const sqlite = (await loadSqlite())(storePath(data_dir));
    sqlite.exec("insert or replace into meta (key, value) values ('terms_version', '1')");
    sqlite.close();
    const outdated = (await store.analysis.listOutdated(1000)) ?? [];
    await store.transaction(async ({ analysis }) => {
      const terms = { terms: 'nothing', speaker_terms: '' };
      for (const { memory } of outdated) await analysis.updateTerms(projects.own, memory, terms);
    });
  }

  it('finds them once they are brought up to date', async () => {
    await makeOld([memory]);
    const before = await recall(question);

    await refreshIndexTerms(engine.deps);

    expect(before).toEqual([]);
    expect(await recall(question)).toEqual([memory]);
    expect(await engine.store.analysis.listOutdated(1)).toBeNull();
  });

  it('brings few long ones up to date at a time', async () => {
    await makeOld(Array.from({ length: 8 }, (_, number) => longNote(number)));
    const stopping = new AbortController();
    const log = vi.fn();

    const stopped = { store: { ...engine.store, transaction: once(stopping) }, log };
    await refreshIndexTerms(stopped, stopping.signal);

    expect(log.mock.calls.map(([, , fields]) => fields)).toEqual([{ renewed: 3 }]);
  });

  it('goes on where it was stopped, and does not touch what is up to date', async () => {
    const texts = Array.from({ length: 250 }, (_, number) => `Das ist die ${number}. Notiz`);
    await makeOld([...texts, memory]);
    const stopping = new AbortController();
    const log = vi.fn();
    await refreshIndexTerms({ store: engine.store, log }, AbortSignal.abort());
    const stopped = { store: { ...engine.store, transaction: once(stopping) }, log };
    await refreshIndexTerms(stopped, stopping.signal);

    await refreshIndexTerms({ store: engine.store, log });
    await refreshIndexTerms({ store: engine.store, log });

    const renewed = log.mock.calls.map(([, , fields]) => fields);
    expect(renewed).toEqual([{ renewed: 100 }, { renewed: 151 }]);
    expect(await recall(question)).toContain(memory);
  });

  it('makes the words of a batch before its transaction, for which writers wait', async () => {
    await makeOld(Array.from({ length: 8 }, (_, number) => longNote(number)));
    const { store } = engine;
    const steps: string[] = [];
    const languages: Store['languages'] = {
      ...store.languages,
      list: (project) => {
        steps.push('make');
        return store.languages.list(project);
      },
    };
    const transaction: Store['transaction'] = (run) => {
      steps.push('store');
      return store.transaction(run);
    };

    await refreshIndexTerms({ store: { ...store, languages, transaction }, log: vi.fn() });

    expect(steps).toEqual(['make', 'store', 'make', 'store', 'make', 'store', 'store']);
  });

  it('keeps the words of a text that changes while they are made', async () => {
    await makeOld(['Peter mag Katzen.']);
    const { invoke, store } = engine;
    const [old] = (await store.analysis.listOutdated(1)) ?? [];
    const change = { memory_id: old?.memory.id, text: memory };
    let changed: Promise<unknown> | undefined;
    const transaction: Store['transaction'] = async (run) => {
      changed ??= invoke('update_memory', change, { caller: owner });
      await changed;
      return store.transaction(run);
    };

    await refreshIndexTerms({ store: { ...store, transaction }, log: vi.fn() });

    expect(await recall(question)).toEqual([memory]);
  });

  function once(stopping: AbortController): Store['transaction'] {
    return async (run) => {
      const done = await engine.store.transaction(run);
      stopping.abort();
      return done;
    };
  }
});

it.each(['четвъртък', 'освен'])('the Bulgarian word %s has a term', async (word) => {
  const stems = await loadStemmers(['bulgarian']);

  expect(analyze(word, stems)).toEqual([expect.stringMatching(/^\p{Script=Cyrillic}{3,}$/u)]);
});
