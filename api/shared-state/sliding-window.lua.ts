/**
 * Exact sliding windows in Redis. A window is a list of the times, µs, at which each of the counted ones was counted, the oldest
 * first; never more than its limit. What has left the window is removed once, so a call costs the same however full it is. The time
 * is the server's, and stands still while a script runs.
 *
 * Times are whole numbers below 2^53, which Lua holds exactly; as text only `%.0f` writes them so.
 */

/** µs since the epoch by the clock of the server. Tests of the rules put another in its place. */
export const SERVER_CLOCK = `
local function clock()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end
`;

const WINDOW = `
-- Forgets what has left the window. Returns how many are in it, and the time this call counts as: never before the last one, so
-- that a clock that was set back opens no window.
local function within(key, window, now)
  local last = redis.call('LINDEX', key, -1)
  if not last then return 0, now end
  now = math.max(now, tonumber(last))
  -- Mostly none has left, so the oldest is looked at before a whole piece is.
  while tonumber(redis.call('LINDEX', key, 0) or math.huge) <= now - window do
    local outside = 0
    for _, time in ipairs(redis.call('LRANGE', key, 0, 31)) do
      if tonumber(time) > now - window then break end
      outside = outside + 1
    end
    redis.call('LPOP', key, outside)
  end
  return redis.call('LLEN', key), now
end

-- How long until a window that is full has room.
local function untilRoom(key, limit, window, now)
  local leaving = limit > 0 and redis.call('LINDEX', key, -limit)
  return leaving and tonumber(leaving) + window - now or window
end

local function add(key, window, now)
  redis.call('RPUSH', key, string.format('%.0f', now))
  -- Expiry counts in whole ms from the beginning of this one.
  redis.call('PEXPIRE', key, math.ceil(window / 1000) + 1)
end
`;

/** KEYS: windows. ARGV: 1 to count, 0 to look; then limit and length (µs) of each. Returns {allowed, remaining, reset µs}. */
export function takeScript(clock: string = SERVER_CLOCK): string {
  return `${clock}${WINDOW}
local remaining, reset, allowed = math.huge, 0, 1
local times = {}
for i, key in ipairs(KEYS) do
  local limit, window = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local count, now = within(key, window, clock())
  times[i] = now
  if count < limit then
    remaining = math.min(remaining, limit - count - 1)
    if allowed == 1 then reset = math.max(reset, window) end
  else
    if allowed == 1 then allowed, reset = 0, 0 end
    reset = math.max(reset, untilRoom(key, limit, window, now))
  end
end
if allowed == 0 then return {0, 0, reset} end
if ARGV[1] == '1' then
  for i, key in ipairs(KEYS) do add(key, tonumber(ARGV[2 * i + 1]), times[i]) end
end
return {1, remaining, reset}
`;
}

/** KEYS: window, block. ARGV: limit, length (µs), block (ms). Returns {allowed, remaining, blocked ms, began}. */
export function countOrBlockScript(clock: string = SERVER_CLOCK): string {
  return `${clock}${WINDOW}
local blocked = redis.call('PTTL', KEYS[2])
if blocked > 0 then return {0, 0, blocked, 0} end
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local count, now = within(KEYS[1], window, clock())
if count < limit then
  add(KEYS[1], window, now)
  return {1, limit - count - 1, 0, 0}
end
redis.call('SET', KEYS[2], '', 'PX', ARGV[3])
return {0, 0, tonumber(ARGV[3]), 1}
`;
}
