import { rate, wholeNumber } from '../values.ts';

/** Rate limits of requests and attempts: a number per time, such as `100/60s`. */
export const limitsSettings = {
  TRAPLINE_LIMIT_ADDRESS: rate
    .default('100/60s')
    .describe('requests of one address (IPv6: one /64 network); above that, the address is blocked'),
  TRAPLINE_LIMIT_ADDRESS_BLOCK_SECONDS: wholeNumber({ min: 1, max: 86_400 })
    .default(300)
    .describe('for how long an address that exceeds TRAPLINE_LIMIT_ADDRESS is blocked, seconds'),
  TRAPLINE_LIMIT_POLLS: rate
    .default('600/60s')
    .describe('reads of the state of executions by one API key; they do not count for the address'),
  TRAPLINE_LIMIT_WRONG_KEYS: rate
    .default('20/60s')
    .describe('wrong API keys from one address; after that, keys from this address are refused for the same time'),
  TRAPLINE_LIMIT_SIGN_IN_IP: rate.default('20/10m').describe('sign-ins from one address'),
  TRAPLINE_LIMIT_SIGN_IN_EMAIL: rate.default('10/10m').describe('sign-ins from one address for one e-mail address'),
  TRAPLINE_LIMIT_FAILED_ACCOUNTS: rate
    .default('50/1h')
    .describe('different e-mail addresses for which sign-ins from one address fail'),
  TRAPLINE_LIMIT_ACCOUNT_LOCK: rate
    .default('5/15m')
    .describe('failed sign-ins in a row that lock an account, and for how long it stays locked'),
  TRAPLINE_LIMIT_SECOND_FACTOR: rate
    .default('10/10m')
    .describe('attempts at the second factor of one account, from all addresses; also 100 in 24 hours'),
  TRAPLINE_LIMIT_CODE_TRIES: rate
    .default('5/5m')
    .describe('attempts at one one-time code, and for how long the code is valid'),
  TRAPLINE_LIMIT_VERIFY_CODE_IP: rate.default('50/10m').describe('attempts at one-time codes from one address'),
  TRAPLINE_LIMIT_VERIFY_CODE_EMAIL: rate
    .default('10/10m')
    .describe('attempts at one-time codes from one address for one e-mail address'),
  TRAPLINE_LIMIT_SEND_CODE_IP: rate.default('20/1h').describe('one-time codes that one address requests by mail'),
  TRAPLINE_LIMIT_SEND_CODE_EMAIL: rate.default('5/1h').describe('one-time codes that are mailed to one e-mail address'),
  TRAPLINE_LIMIT_RESET_IP: rate.default('20/1h').describe('password resets that one address requests by mail'),
  TRAPLINE_LIMIT_RESET_EMAIL: rate.default('5/1h').describe('password resets that are mailed to one e-mail address'),
};
