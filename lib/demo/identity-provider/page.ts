import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PERSONAS, type Persona } from './personas.ts';

export type Page = { body: string; headers: Record<string, string> };

const style = readFileSync(path.join(import.meta.dirname, 'page.css'), 'utf8');
const styleHash = createHash('sha256').update(style).digest('base64');

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** The question "who signs in?": one button for each persona, whose accessible name is the persona's name. */
export function renderPersonas(interaction: string, consoleUrl: string): Page {
  const cards = PERSONAS.map((persona) => renderPersona(interaction, persona)).join('');
  return renderPage(
    'Who is signing in?',
    `<p class="lead">This is the demo's own identity provider. It knows these people and asks for no password.</p>
     <ul>${cards}</ul>`,
    consoleUrl,
  );
}

/** What is shown when a sign-in cannot go on: the reason, and the way back. */
export function renderRefusal(reason: string, consoleUrl: string): Page {
  return renderPage(
    'This sign-in cannot go on',
    `<p class="lead">${escape(reason)}</p>
     <p><a href="${escape(consoleUrl)}/sign-in">Start again in Replay Desk</a></p>`,
    consoleUrl,
  );
}

function renderPersona(interaction: string, { sub, name, title, summary, description }: Persona): string {
  const [role = '', scope = ''] = summary.split(/:\s*/);
  return `<li><form method="post" action="/pick/${escape(interaction)}/${escape(sub)}">
    <span class="mark" aria-hidden="true">${escape(initials(name))}</span>
    <div><p class="who"><button type="submit" aria-describedby="about-${escape(sub)}">${escape(name)}</button>
      <span class="title">${escape(title)}</span></p>
    <div id="about-${escape(sub)}"><p>${escape(description)}</p>
      <p class="grant"><b>${escape(role)}</b> ${escape(scope)}</p></div></div>
  </form></li>`;
}

function initials(name: string): string {
  return name
    .split(' ')
    .map((word) => word.charAt(0))
    .join('');
}

function renderPage(title: string, content: string, consoleUrl: string): Page {
  const policy = [
    `default-src 'none'`,
    `style-src 'sha256-${styleHash}'`,
    // the answer to the form leads back to the console, and browsers hold redirects to this rule too
    `form-action 'self' ${new URL(consoleUrl).origin}`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
  ];
  return {
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(title)} · Replay Desk demo</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<style>${style}</style></head><body><main><p class="product">Replay Desk <span>demo identity provider</span></p>
<h1>${escape(title)}</h1>${content}</main></body></html>`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  };
}
