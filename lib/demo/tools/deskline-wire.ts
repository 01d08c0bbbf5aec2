import {
  callHttp,
  LookupFailed,
  operationKey,
  type EffectAnswer,
  type EffectCall,
  type EffectPage,
  type HttpAnswer,
  type ListQuestion,
  type LookupAnswer,
  type LookupQuestion,
} from '../../executor/index.ts';

/** How a demo tool reaches Deskline. */
export interface Wire {
  /** `http://127.0.0.1:…` */
  url: string;
  /** Sent as `x-deskline-fault` with each effect, for tests. */
  fault?: () => string | undefined;
}

/** Sends one effect and reads Deskline's answer by its status; anything that is not certain is unclear. */
export async function sendEffect(
  wire: Wire,
  path: string,
  call: EffectCall<unknown>,
  body: unknown,
): Promise<EffectAnswer> {
  const fault = wire.fault?.();
  const answer = await callHttp(`${wire.url}${path}`, {
    method: 'POST',
    headers: {
      'idempotency-key': call.downstreamKey,
      'x-request-id': call.requestId,
      ...(fault !== undefined && { 'x-deskline-fault': fault }),
    },
    body,
    signal: call.signal,
  });
  return readEffect(answer);
}

function readEffect({ status, headers, body }: HttpAnswer): EffectAnswer {
  if (status === 200 || status === 201) {
    if (typeof body !== 'object' || body === null)
      return { kind: 'unclear', because: 'the answer could not be read' };
    const committedAt = 'committed_at' in body ? String(body.committed_at) : undefined;
    return { kind: 'done', answer: body, ...(committedAt !== undefined && { committedAt }) };
  }
  if (status === 202) {
    const jobId = isObject(body) ? body['job_id'] : undefined;
    return typeof jobId === 'string'
      ? { kind: 'accepted', jobId }
      : { kind: 'unclear', because: 'accepted without a job' };
  }
  const code = errorCode(body);
  if (status === 409 && code === 'idempotency_key_in_progress') return { kind: 'in_progress' };
  // something happened under this key before, so that this is no proof that nothing did
  if (code === 'idempotency_key_reused')
    return { kind: 'unclear', because: 'the key came with another request before' };
  if ((status === 409 || status === 412 || status === 422) && code !== null) return { kind: 'refused', code };
  if (status === 429) {
    const seconds = Number(headers.get('retry-after'));
    return {
      kind: 'not_now',
      ...(Number.isFinite(seconds) && seconds > 0 && { retryAfterSeconds: seconds }),
    };
  }
  return { kind: 'unclear', because: `status ${status}` };
}

const errorCode = (body: unknown): string | null =>
  typeof body === 'object' &&
  body !== null &&
  'error' in body &&
  typeof body.error === 'object' &&
  body.error !== null &&
  'code' in body.error
    ? String(body.error.code)
    : null;

/** Looks an effect up by its downstream key. */
export async function lookUpByKey(
  wire: Wire,
  resource: string,
  question: LookupQuestion,
): Promise<LookupAnswer> {
  const key = encodeURIComponent(question.downstreamKey);
  const { status, body } = await callHttp(`${wire.url}/lookup/${resource}?key=${key}`, {
    signal: question.signal,
  });
  if (status !== 200 || typeof body !== 'object' || body === null || !('status' in body))
    throw new LookupFailed(`Deskline answered ${status}`);
  if (body.status === 'absent') return { answer: 'absent' };
  if (
    body.status !== 'found' ||
    !('record' in body) ||
    typeof body.record !== 'object' ||
    body.record === null
  )
    throw new LookupFailed('Deskline answered something else');
  const record = body.record as Record<string, unknown>;
  const references = 'references' in body && Array.isArray(body.references) ? body.references : [];
  if (references.length > 1)
    return { answer: 'ambiguous', because: `${references.length} effects carry this key` };
  return {
    answer: 'found',
    reference: typeof record['id'] === 'string' ? record['id'] : '',
    record,
    ...(typeof record['committed_at'] === 'string' && { committedAt: record['committed_at'] }),
  };
}

/** Lists a resource's records whose key belongs to the asked tenant and environment: Deskline knows neither. */
export async function listByScope(wire: Wire, resource: string, question: ListQuestion): Promise<EffectPage> {
  const { tenantId, environment, after, signal } = question;
  const scope = operationKey({ tenantId, environment, workflowId: 'w', stepId: 's' }).slice(0, -'w:s'.length);
  const page = new URLSearchParams({ limit: '100', key_prefix: scope, ...(after !== null && { after }) });
  const { status, body } = await callHttp(`${wire.url}/${resource}?${page.toString()}`, { signal });
  if (status !== 200 || typeof body !== 'object' || body === null || !('items' in body) || !('next' in body))
    throw new LookupFailed(`Deskline answered ${status}`);
  const records = (body.items as Record<string, unknown>[]).map((record) => ({
    reference: String(record['id']),
    downstreamKey: keyIn(record),
    committedAt: String(record['committed_at']),
  }));
  return {
    effects: records.filter(({ downstreamKey }) => downstreamKey?.startsWith(scope)),
    next: typeof body.next === 'string' ? body.next : null,
  };
}

const keyIn = (record: Record<string, unknown>): string | null => {
  const key = record['idempotency_key'] ?? record['client_reference'];
  return typeof key === 'string' ? key : null;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Looks a delayed effect up by its downstream key: while a job of it runs, its absence proves nothing. The jobs are asked
 * first, so that one that ends in between is found.
 */
export async function lookUpDelayed(
  wire: Wire,
  resource: string,
  question: LookupQuestion,
): Promise<LookupAnswer> {
  const key = encodeURIComponent(question.downstreamKey);
  const { status, body } = await callHttp(`${wire.url}/jobs?key=${key}`, { signal: question.signal });
  const jobs = isObject(body) ? body['items'] : undefined;
  if (status !== 200 || !Array.isArray(jobs))
    throw new LookupFailed(`Deskline answered ${status} about jobs`);
  if (jobs.some((job) => isObject(job) && job['status'] === 'running')) return { answer: 'pending' };
  return await lookUpByKey(wire, resource, question);
}

/** Asks for the end of a job. Its success names the record; its failure says that there will be none. */
export async function pollJobById(wire: Wire, question: LookupQuestion): Promise<LookupAnswer> {
  if (question.providerJobId === null) throw new LookupFailed('no job is known');
  const { status, body } = await callHttp(`${wire.url}/jobs/${encodeURIComponent(question.providerJobId)}`, {
    signal: question.signal,
  });
  if (status !== 200 || !isObject(body)) throw new LookupFailed(`Deskline answered ${status}`);
  if (body['status'] === 'running') return { answer: 'pending' };
  if (body['status'] === 'failed') return { answer: 'refused', because: 'the job failed' };
  const record = body['record'];
  if (body['status'] !== 'succeeded' || !isObject(record))
    throw new LookupFailed('Deskline answered something else');
  return {
    answer: 'found',
    reference: typeof record['id'] === 'string' ? record['id'] : '',
    record,
    ...(typeof record['committed_at'] === 'string' && { committedAt: record['committed_at'] }),
  };
}
