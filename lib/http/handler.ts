import { randomUUID } from 'node:crypto';
import { unstable_rethrow } from 'next/navigation';
import { caller, type Caller } from '../auth/caller.ts';
import { need } from '../env.ts';
import { logger } from '../logger.ts';
import { describeError } from './describe-error.ts';
import { assertOwnOrigin, isWrite } from './origin.ts';
import { problemResponse, toProblem } from './problem.ts';
import { MAX_BODY_BYTES, readForm, readJson } from './read-body.ts';
import { validateBody, validateParams, validateQuery, type Shape } from './validate.ts';

type Shapes<Body, Query, Params> = {
  /** A JSON body; without one the body is not read. */
  body?: Shape<Body>;
  /** Fields of a form; instead of `body`, for plain forms of our pages. */
  form?: Shape<Body>;
  query?: Shape<Query>;
  params?: Shape<Params>;
  maxBodyBytes?: number;
};

export type Asked<Body, Query, Params> = {
  request: Request;
  requestId: string;
  body: Body;
  query: Query;
  params: Params;
};

type Context = { params: Promise<unknown> };
type Route = (request: Request, context: Context) => Promise<Response>;
/** A `Response`, or a value that is sent as JSON; nothing is 204. */
type Answer = Promise<unknown>;

/**
 * A route handler for signed-in callers. In this order: a write must come from our own pages (403), the caller needs
 * a live session (401), path (404), query (400) and body (413, 415, 400, 422) must have their shapes; only then `act`
 * is called. It authorizes by the caller's grants itself. Whatever it throws becomes problem details.
 */
export function handler<Body = undefined, Query = undefined, Params = undefined>(
  shapes: Shapes<Body, Query, Params>,
  act: (asked: Asked<Body, Query, Params> & { caller: Caller }) => Answer,
): Route {
  return route(shapes, async (readRequest) => {
    const who = await caller();
    return act({ ...(await readRequest()), caller: who });
  });
}

/** The same for the few routes that answer anybody: sign-in and health. */
export function publicHandler<Body = undefined, Query = undefined, Params = undefined>(
  shapes: Shapes<Body, Query, Params>,
  act: (asked: Asked<Body, Query, Params>) => Answer,
): Route {
  return route(shapes, async (readRequest) => act(await readRequest()));
}

function route<Body, Query, Params>(
  shapes: Shapes<Body, Query, Params>,
  act: (readRequest: () => Promise<Asked<Body, Query, Params>>) => Answer,
): Route {
  return async (request, context) => {
    const requestId = randomUUID();
    let response: Response;
    try {
      if (isWrite(request.method)) assertOwnOrigin(request, need('NEXTAUTH_URL'));
      response = toResponse(await act(() => read(request, context, requestId, shapes)));
    } catch (error) {
      unstable_rethrow(error); // Next's own signals, redirect among them
      response = refuse(error, request, requestId);
    }
    response.headers.set('x-request-id', requestId);
    response.headers.set('cache-control', 'no-store');
    return response;
  };
}

async function read<Body, Query, Params>(
  request: Request,
  context: Context,
  requestId: string,
  shapes: Shapes<Body, Query, Params>,
): Promise<Asked<Body, Query, Params>> {
  const { body, form, query, params, maxBodyBytes = MAX_BODY_BYTES } = shapes;
  const asked = {
    params: params && validateParams(params, await context.params),
    query: query && validateQuery(query, new URL(request.url).searchParams),
    body:
      body !== undefined
        ? validateBody(body, await readJson(request, maxBodyBytes))
        : form && validateBody(form, Object.fromEntries(await readForm(request, maxBodyBytes))),
  };
  // what has no shape is undefined, as its type parameter says
  return { request, requestId, ...(asked as Pick<Asked<Body, Query, Params>, keyof typeof asked>) };
}

function toResponse(answer: unknown): Response {
  if (answer instanceof Response) return answer;
  if (answer === undefined) return new Response(null, { status: 204 });
  return Response.json(answer);
}

function refuse(error: unknown, request: Request, requestId: string): Response {
  const problem = toProblem(error, requestId);
  if (problem.status >= 500) {
    const { method } = request;
    logger('http').error(
      { requestId, method, status: problem.status, ...describeError(error) },
      'request failed',
    );
  }
  return problemResponse(problem);
}
