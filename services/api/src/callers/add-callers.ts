import { LendingError } from '@lending/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../visitors/visitor.ts';
import { hashAccessToken, isAccessToken } from './access-token.ts';
import type { TokenStore } from './token-store.ts';

/** The doors at which a token counts; a path that nobody has is asked for like one that somebody has. */
const DOORS = /^\/(v1|mcp|graphql)(\/|\?|$)/;
const CHALLENGE = 'Bearer realm="lending-agent-service"';

/**
 * Says of every request at a door that brings a token whose it is. Looked up each time: a token that was revoked fails at once.
 *
 * No token is fine here. What is none of ours ends the request, other schemes than Bearer included: whoever means to be known, and is not,
 * should hear of it. Register it behind what counts requests, so that guessing is counted.
 */
export function addCallers(app: FastifyInstance, tokens: TokenStore): void {
  app.addHook('onRequest', async (request, reply) => {
    const { authorization } = request.headers;
    if (authorization === undefined || !isAtDoor(request)) return;
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    const caller =
      token === undefined || !isAccessToken(token) ? null : await tokens.useAccessToken(hashAccessToken(token));
    if (caller === null) throw tokenInvalid(reply);
    request.visitor = { ...request.visitor, caller };
  });
}

/**
 * Who asks, where only callers may.
 * @throws CALLER__TOKEN_INVALID when the request brought no token.
 */
export function requireCaller({ visitor }: FastifyRequest, reply: FastifyReply): Caller {
  if (visitor.caller !== null) return visitor.caller;
  reply.header('www-authenticate', CHALLENGE);
  throw new LendingError('CALLER__TOKEN_INVALID', {
    message:
      'This call brings no bearer token — allowed: the header Authorization: Bearer with a token of this service — pass the token and call again',
  });
}

/** A browser asks for leave without the header, and a page is for everybody. */
function isAtDoor({ method, routeOptions, url }: FastifyRequest): boolean {
  return method !== 'OPTIONS' && DOORS.test(routeOptions.url ?? url);
}

function tokenInvalid(reply: FastifyReply): LendingError {
  reply.header('www-authenticate', `${CHALLENGE}, error="invalid_token"`);
  return new LendingError('CALLER__TOKEN_INVALID', {
    message:
      'The bearer token is none of this service, or was revoked — allowed: Authorization: Bearer with a token that still works, or no such header — correct it and call again',
  });
}
