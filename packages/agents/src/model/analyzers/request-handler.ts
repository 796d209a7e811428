/**
 * Which functions of a file answer HTTP requests: the callbacks of routes and middleware of the common servers.
 * Claimed only where the file itself imports such a server; `cache.get('/x', fn)` alone proves nothing.
 *
 * @module
 */
import type { SgNode } from '@ast-grep/napi';
import { importsAny } from './module-bindings.ts';
import { argumentsOf, calleeName, isFunction, literalText, rootOf } from './syntax.ts';

const FRAMEWORKS = new Set([
  'express',
  'hono',
  '@hono/zod-openapi',
  'fastify',
  'koa',
  'koa-router',
  '@koa/router',
  'polka',
  'restify',
]);
const NODE_SERVERS = new Set(['http', 'https', 'http2', 'node:http', 'node:https', 'node:http2']);
const ROUTE_METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'del', 'head', 'options', 'all']);

/** Whether a node runs while a request is answered. */
export function isInRequestHandler(node: SgNode): boolean {
  return requestHandlerOf(node) !== undefined;
}

/** The innermost request handler around a node. */
export function requestHandlerOf(node: SgNode): SgNode | undefined {
  return node.ancestors().find((ancestor) => isFunction(ancestor) && isRequestHandler(ancestor));
}

function isRequestHandler(fn: SgNode): boolean {
  const parent = fn.parent();
  if (parent?.is('arguments') === true) return isRegistration(parent.parent());
  const name =
    fn.field('name')?.text() ?? (parent?.is('variable_declarator') ? parent.field('name')?.text() : null);
  if (name === null || name === undefined || fn.is('method_definition')) return false;
  return rootOf(fn)
    .findAll({
      rule: {
        kind: 'call_expression',
        has: { kind: 'arguments', has: { kind: 'identifier', regex: `^${escapeName(name)}$` } },
      },
    })
    .some(isRegistration);
}

function isRegistration(call: SgNode | null): boolean {
  if (call?.is('call_expression') !== true) return false;
  const method = calleeName(call) ?? '';
  if (method === 'createServer') return importsAny(call, NODE_SERVERS);
  if (call.field('function')?.is('member_expression') !== true || !importsAny(call, FRAMEWORKS)) return false;
  const path = literalText(argumentsOf(call)[0]);
  if (method === 'use') return true;
  return ROUTE_METHODS.has(method) && path !== undefined && /^[/*]/.test(path);
}

function escapeName(name: string): string {
  return name.replaceAll('$', '\\$');
}
