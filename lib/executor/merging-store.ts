import { DatabaseError } from '../errors.ts';
import type { Event } from '../domain/states.ts';
import type { Clock, OperationId, Store } from './ports.ts';

export interface MergeOptions {
  clock: Clock;
  /** Statements of one kind under way at once. More make smaller batches; two keep a server busy between answers. */
  statements?: number;
  /** Rows in one statement at most. */
  rows?: number;
  /** A caller is rejected after it, whether its row was sent or still waits; milliseconds. */
  deadlineMs?: number;
  /** Calls back in this turn of the event loop, once what is running has run. */
  defer?: (call: () => void) => void;
}

/**
 * A store that sends concurrent calls of one kind as one statement of many rows. Nobody waits for company: a call goes
 * out in the turn of the event loop in which it came, unless `statements` of its kind are under way; then it goes with
 * all that came meanwhile as soon as one of them returns. A row that the server refuses does not fail the others: the
 * statement is undone, and each row is sent alone. What fails without the server's word may have happened, and is told
 * to every caller as it would be to one alone.
 */
export function mergingStore(store: Store, options: MergeOptions): Store {
  const merged = <Row extends OperationId, Answer>(send: Send<Row, Answer>): Send<Row, Answer> => {
    const queue = new MergeQueue(send, options);
    return async (rows) => {
      const [row, ...more] = rows;
      return row === undefined || more.length > 0 ? await send(rows) : [await queue.call(row)];
    };
  };
  const byEvent = new Map<Event, Store['transition']>();
  const addEvents = merged(async (rows: Parameters<Store['addEvents']>[0]) => {
    await store.addEvents(rows);
    return rows.map(() => undefined);
  });
  return {
    ...store,
    claim: merged((rows: Parameters<Store['claim']>[0]) => store.claim(rows)),
    read: merged((rows: Parameters<Store['read']>[0]) => store.read(rows)),
    heartbeat: merged((rows: Parameters<Store['heartbeat']>[0]) => store.heartbeat(rows)),
    addEvents: async (rows) => {
      await addEvents(rows);
    },
    transition: (event, rows) => {
      let send = byEvent.get(event);
      if (send === undefined) {
        const one = merged((given: typeof rows) => store.transition(event, given));
        byEvent.set(event, (send = (_event, given) => one(given)));
      }
      return send(event, rows);
    },
  };
}

type Send<Row, Answer> = (rows: readonly Row[]) => Promise<Answer[]>;

interface Call<Row, Answer> {
  row: Row;
  key: string;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
  /** Its caller was answered, or told that the time is over: it is not sent any more. */
  isSettled: boolean;
}

class MergeQueue<Row extends OperationId, Answer> {
  readonly #send: Send<Row, Answer>;
  readonly #clock: Clock;
  readonly #statements: number;
  readonly #rows: number;
  readonly #deadlineMs: number;
  readonly #defer: (call: () => void) => void;
  #waiting: Call<Row, Answer>[] = [];
  #underWay = 0;
  #isDeferred = false;

  constructor(send: Send<Row, Answer>, options: MergeOptions) {
    this.#send = send;
    this.#clock = options.clock;
    this.#statements = options.statements ?? 2;
    this.#rows = options.rows ?? 128;
    this.#deadlineMs = options.deadlineMs ?? 5_000;
    this.#defer = options.defer ?? setImmediate;
  }

  call(row: Row): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(this.#deadlineMs, () => {
        this.#waiting = this.#waiting.filter((other) => other !== call);
        call.isSettled = true;
        reject(new DatabaseError('deadline', { message: `database deadline (${this.#deadlineMs} ms)` }));
      });
      const call: Call<Row, Answer> = {
        row,
        isSettled: false,
        key: JSON.stringify([row.tenant_id, row.operation_key]),
        resolve: (answer) => {
          cancel();
          resolve(answer);
        },
        reject: (error) => {
          cancel();
          reject(
            error instanceof Error ? error : new Error('the store threw something else', { cause: error }),
          );
        },
      };
      this.#waiting.push(call);
      if (this.#isDeferred || this.#underWay >= this.#statements) return;
      this.#isDeferred = true;
      this.#defer(() => {
        this.#isDeferred = false;
        this.#pump();
      });
    });
  }

  #pump(): void {
    while (this.#waiting.length > 0 && this.#underWay < this.#statements) {
      this.#underWay += 1;
      void this.#perform(this.#take()).then(() => {
        this.#underWay -= 1;
        this.#pump();
      });
    }
  }

  /** The next rows in their order; two of one operation never go in one statement. */
  #take(): Call<Row, Answer>[] {
    const keys = new Set<string>();
    const taken: Call<Row, Answer>[] = [];
    const left: Call<Row, Answer>[] = [];
    for (const call of this.#waiting) {
      if (taken.length === this.#rows || keys.has(call.key)) left.push(call);
      else {
        keys.add(call.key);
        taken.push(call);
      }
    }
    this.#waiting = left;
    return taken;
  }

  async #perform(calls: readonly Call<Row, Answer>[]): Promise<void> {
    try {
      const answers = await this.#send(calls.map(({ row }) => row));
      if (answers.length !== calls.length) throw new Error('the store answered another number of rows');
      for (const [i, call] of calls.entries()) call.resolve(answers[i] as Answer);
    } catch (error) {
      if (calls.length > 1 && isUndone(error)) {
        for (const call of calls) if (!call.isSettled) await this.#perform([call]);
      } else for (const call of calls) call.reject(error);
    }
  }
}

/** The server's own refusal of a statement, after which nothing of it is there. */
function isUndone(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlstate !== null && !/^(08|57P)/.test(error.sqlstate);
}
