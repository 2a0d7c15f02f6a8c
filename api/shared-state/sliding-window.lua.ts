/**
 * Exact sliding windows in Redis. A window is a list of the times (µs) of counted events, oldest first, at most as many
 * as its limit. Expired events are removed once, so the cost of a call does not depend on how full the window is. The
 * time is that of the server, and is constant while a script runs.
 *
 * Times are integers below 2^53, which Lua represents exactly. Only `%.0f` prints them without loss.
 */

/** µs since the epoch by the clock of the server. Tests of the rules replace it. */
export const SERVER_CLOCK = `
local function clock()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000000 + tonumber(time[2])
end
`;

/** Replaces the number of remaining events; see `countOrBlockScript`. */
export const REFUSED = -1;
export const BEGAN = -2;

const WINDOW = `
-- Forgets what has left the window. Returns the time this call counts as, never before the last one, so that a clock that was set back
-- opens no window; and the time of the last one, if there is any.
local function forget(key, window, now)
  local last = tonumber(redis.call('LINDEX', key, -1) or '')
  if not last then return now end
  now = math.max(now, last)
  -- Mostly none has left, so the oldest is looked at before a whole piece is.
  while tonumber(redis.call('LINDEX', key, 0) or math.huge) <= now - window do
    local outside = 0
    for _, time in ipairs(redis.call('LRANGE', key, 0, 31)) do
      if tonumber(time) > now - window then break end
      outside = outside + 1
    end
    redis.call('LPOP', key, outside)
  end
  return now, last
end

-- How long until a window that is full has room.
local function untilRoom(key, limit, window, now)
  local leaving = limit > 0 and redis.call('LINDEX', key, -limit)
  return leaving and tonumber(leaving) + window - now or window
end

-- Returns how many are in the window with this one. A key ends by itself: time is divided into pieces as long as the window, and the first
-- count of a piece lets the key live for two, which is enough for all others of that piece.
local function add(key, window, now, last)
  local count = redis.call('RPUSH', key, string.format('%.0f', now))
  if not last or math.floor(now / window) > math.floor(last / window) then
    -- Expiry counts in whole ms from the beginning of this one.
    redis.call('PEXPIRE', key, math.ceil(2 * window / 1000) + 1)
  end
  return count
end
`;

/**
 * KEYS: windows. ARGV: 1 to count or 0 to read; then limit and length (µs) of each. Returns {allowed, remaining, reset
 * µs}.
 */
export function takeScript(clock: string = SERVER_CLOCK): string {
  return `${clock}${WINDOW}
local remaining, reset, allowed = math.huge, 0, 1
local times, lasts = {}, {}
for i, key in ipairs(KEYS) do
  local limit, window = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local now, last = forget(key, window, clock())
  local count = redis.call('LLEN', key)
  times[i], lasts[i] = now, last
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
  for i, key in ipairs(KEYS) do add(key, tonumber(ARGV[2 * i + 1]), times[i], lasts[i]) end
end
return {1, remaining, reset}
`;
}

/**
 * KEYS: pairs of window and block. ARGV: limit, length (µs) and block (ms), the same for all. Returns two numbers per
 * pair. The first is the number of remaining events, REFUSED, or BEGAN if this event started the block. The second is
 * the remaining time of the block in ms. A key may occur several times.
 */
export function countOrBlockScript(clock: string = SERVER_CLOCK): string {
  return `${clock}${WINDOW}
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = clock()
local replies = {}
local function reply(left, blocked)
  replies[#replies + 1] = left
  replies[#replies + 1] = blocked
end
for i = 1, #KEYS, 2 do
  local blocked = redis.call('PTTL', KEYS[i + 1])
  if blocked > 0 then
    reply(${REFUSED}, blocked)
  else
    local now, last = forget(KEYS[i], window, time)
    local count = add(KEYS[i], window, now, last)
    if count <= limit then
      reply(limit - count, 0)
    else
      redis.call('RPOP', KEYS[i])
      redis.call('SET', KEYS[i + 1], '', 'PX', ARGV[3])
      reply(${BEGAN}, tonumber(ARGV[3]))
    end
  end
end
return replies
`;
}
