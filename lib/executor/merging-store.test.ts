import { describe, expect, test } from 'vitest';
import { DatabaseError } from '../errors.ts';
import { mergingStore, type MergeOptions } from './merging-store.ts';
import type { OperationId, OperationRecord, Store } from './ports.ts';
import { gate } from './testing/bench.ts';

const id = (key: string): OperationId => ({
  tenant_id: 'acme',
  environment: 'production',
  operation_key: key,
});
const keysOf = (rows: readonly OperationId[]) => rows.map(({ operation_key: key }) => key);

/** A clock on which no time passes; `end` lets every deadline come. */
function stoppedClock() {
  const waiting = new Set<() => void>();
  return {
    clock: {
      now: () => 0,
      after: (_ms: number, call: () => void) => {
        waiting.add(call);
        return () => waiting.delete(call);
      },
    },
    end: () => {
      for (const call of waiting) call();
    },
    waiting,
  };
}

/** A store whose statements are listed, and answered when the test opens their gates; each row by its own key. */
function heldStore(refuse: (keys: string[]) => Error | null = () => null) {
  const sent: string[][] = [];
  const gates: ReturnType<typeof gate>[] = [];
  const read: Store['read'] = async (rows) => {
    const keys = keysOf(rows);
    const opening = gate();
    sent.push(keys);
    gates.push(opening);
    await opening.opened;
    const error = refuse(keys);
    if (error !== null) throw error;
    return rows.map(({ operation_key }) => ({ operation_key }) as OperationRecord);
  };
  return {
    store: { read } as Store,
    sent,
    open: async (index: number) => {
      gates[index]?.open();
      await turn();
    },
  };
}

/** Everything that is ready to run has run. */
const turn = async () => {
  for (let i = 0; i < 3; i++) await new Promise(setImmediate);
};

function open(held = heldStore(), options: Partial<MergeOptions> = {}) {
  const time = stoppedClock();
  const store = mergingStore(held.store, { clock: time.clock, statements: 1, rows: 3, ...options });
  const read = (key: string) => store.read([id(key)]).then(([record]) => record?.operation_key);
  return { ...held, ...time, store, read };
}

const refused = new DatabaseError('constraint', {
  message: 'database constraint (23514)',
  sqlstate: '23514',
});

describe('concurrent calls share a statement', () => {
  test('a call alone waits for nobody: no timer stands between it and the wire', async () => {
    const { read, sent, open: answer, waiting } = open();
    const one = read('a');
    await turn();
    expect(sent).toEqual([['a']]);
    await answer(0);
    expect(await one).toBe('a');
    expect(waiting.size).toBe(0);
  });

  test('what comes while a statement is under way goes out together when it returns, in its order and each with its own answer', async () => {
    const { read, sent, open: answer } = open();
    const first = read('a');
    await turn();
    const rest = ['b', 'c'].map(read);
    await turn();
    expect(sent).toEqual([['a']]);
    await answer(0);
    expect(sent).toEqual([['a'], ['b', 'c']]);
    await answer(1);
    expect(await Promise.all([first, ...rest])).toEqual(['a', 'b', 'c']);
  });

  test('a statement has at most so many rows, and so many are under way at once', async () => {
    const { read, sent, open: answer } = open(heldStore(), { statements: 2, rows: 2 });
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map(read));
    await turn();
    expect(sent).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    await answer(1);
    expect(sent.at(-1)).toEqual(['e']);
    await answer(0);
    await answer(2);
    expect(await all).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('two calls about one operation go in two statements, the first one first', async () => {
    const { read, sent, open: answer } = open();
    const all = Promise.all(['a', 'b', 'a'].map(read));
    await turn();
    await answer(0);
    await answer(1);
    expect(sent).toEqual([['a', 'b'], ['a']]);
    expect(await all).toEqual(['a', 'b', 'a']);
  });

  test('one event is never merged with another', async () => {
    const sent: string[] = [];
    const transition: Store['transition'] = async (event, rows) => {
      sent.push(`${event}:${keysOf(rows).join()}`);
      return rows.map(() => ({ refusal: null, record: null }));
    };
    const store = mergingStore({ transition } as Store, { clock: stoppedClock().clock });
    const row = (key: string) => [{ ...id(key), trace: {} }];
    await Promise.all([
      store.transition('apply', row('a')),
      store.transition('doubt', row('b')),
      store.transition('apply', row('c')),
    ]);
    expect(sent.toSorted()).toEqual(['apply:a,c', 'doubt:b']);
  });

  test('a call of several rows is passed on as it is', async () => {
    const { store, sent, open: answer } = open();
    const both = store.read([id('a'), id('b')]);
    await turn();
    expect(sent).toEqual([['a', 'b']]);
    await answer(0);
    expect((await both).length).toBe(2);
  });
});

describe('a statement that fails', () => {
  test('by the refusal of one row leaves its company alone: each is sent by itself', async () => {
    const held = heldStore((keys) => (keys.includes('bad') ? refused : null));
    const { read, sent, open: answer } = open(held);
    const all = Promise.allSettled(['a', 'bad', 'b'].map(read));
    await turn();
    for (let i = 0; i < 4; i++) await answer(i);
    expect(sent).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
    expect(await all).toMatchObject([
      { status: 'fulfilled', value: 'a' },
      { status: 'rejected', reason: refused },
      { status: 'fulfilled', value: 'b' },
    ]);
  });

  test.each([
    ['a lost connection', new DatabaseError('unavailable', { message: 'database unavailable' })],
    ['a server that is shutting down', new DatabaseError('unavailable', { message: '', sqlstate: '57P01' })],
    ['an error that is not the database’s', new Error('something else')],
  ])('by %s may have happened: it is not sent again, and every caller is told', async (_what, error) => {
    const { read, sent, open: answer } = open(heldStore(() => error));
    const all = Promise.allSettled(['a', 'b'].map(read));
    await turn();
    await answer(0);
    expect(sent).toEqual([['a', 'b']]);
    expect((await all).map((one) => one.status === 'rejected' && one.reason)).toEqual([error, error]);
  });

  test('alone is not sent again', async () => {
    const { read, sent, open: answer } = open(heldStore(() => refused));
    const one = Promise.allSettled([read('a')]);
    await turn();
    await answer(0);
    expect(sent).toEqual([['a']]);
    expect(await one).toMatchObject([{ status: 'rejected', reason: refused }]);
  });
});

test('a caller’s deadline holds while it waits for its turn, and what has not gone out never does', async () => {
  const { read, sent, open: answer, end } = open();
  const all = Promise.allSettled(
    ['a', 'b'].map((key, i) => (i === 0 ? read(key) : turn().then(() => read(key)))),
  );
  await turn();
  await turn();
  end();
  expect(await all).toMatchObject([
    { status: 'rejected', reason: { kind: 'deadline' } },
    { status: 'rejected', reason: { kind: 'deadline' } },
  ]);
  await answer(0);
  expect(sent).toEqual([['a']]);
});
