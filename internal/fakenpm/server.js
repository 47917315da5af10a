#!/usr/bin/env node
// A small MCP server over stdio: what it lists is tools.json, as the package sdk
// makes it.
'use strict'
const { createInterface } = require('node:readline')
const { name, version, sdk } = require('./about.json')
const tools = require(sdk).list(require('./tools.json'))

const methods = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version } }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
}

const answer = ({ id, method, params }) => {
  const known = Object.hasOwn(methods, method)
  return known
    ? { jsonrpc: '2.0', id, result: methods[method](params ?? {}) }
    : { jsonrpc: '2.0', id, error: { code: -32601, message: 'method not found' } }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  if (message.id !== undefined) process.stdout.write(JSON.stringify(answer(message)) + '\n')
})
