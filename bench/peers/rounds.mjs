/** Answers the parent's questions `{ concurrency, ms }` with what the callers did. */
export function answerRounds(call) {
  let next = 0;
  process.on('message', async ({ concurrency, ms }) => {
    const latencies = [];
    const startedAt = performance.now();
    const endAt = startedAt + ms;
    const caller = async () => {
      for (let now = performance.now(); now < endAt;) {
        await call(`run_${process.pid}_${String(next++).padStart(7, '0')}`);
        const after = performance.now();
        latencies.push(after - now);
        now = after;
      }
    };
    try {
      await Promise.all(Array.from({ length: concurrency }, caller));
      process.send({
        calls: latencies.length,
        seconds: (performance.now() - startedAt) / 1000,
        latencies,
        effects: effects(),
      });
    } catch (error) {
      process.send({ failed: String(error?.message ?? error) });
    }
  });
  process.send('ready');
}

let made = 0;
const effects = () => made;

/** The business effect, the same as everybody's: a function of this process. */
export function effect() {
  made += 1;
  return { id: `ticket_${crypto.randomUUID()}`, status: 'open' };
}

export const argumentsOf = (id) => ({
  queue_id: 'support',
  subject: `Refund request ${id}`,
  body: 'The customer was charged twice for one order and asks for the second charge back.',
  customer_id: 'cus_9s6XKzkNRiz8i3',
});

process.once('disconnect', () => process.exit(0));
