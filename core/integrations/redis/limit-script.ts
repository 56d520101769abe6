import { redisScript } from './redis-script.ts';

/**
 * Limits that several processes share. One run looks at every limit of a call and counts the call under all of them or under none.
 *
 * A window is a list: its first element is what is counted in it, the others are `leaves:count`, oldest first, where `leaves` is the
 * millisecond at which so much leaves the window. Calls at one time are a sorted set: call id, scored by the end of its lease,
 * so that a process that died takes its calls with it. Time is the time of Redis: the clocks of the processes may differ.
 *
 * ARGV: `enter`, call id, milliseconds of a lease, then kind, most, window in milliseconds, slice in milliseconds and weight of the call
 * for each key. Response: 1, then stamp and count for each key; or 0, number of the key that refuses, milliseconds to wait, count.
 *
 * ARGV: `count`, and the rest as with `enter`: counts as much, and refuses nothing.
 *
 * ARGV: `look`, and the rest as with `enter`. Response: the count of each key; nothing is counted.
 *
 * ARGV: `end`, call id, then kind, stamp, amount for each key; windows named here take so much back.
 */
export const limitScript = redisScript(`
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local function mark(text)
  local leaves, count = string.match(text, '^(%d+):(%d+)$')
  return tonumber(leaves), tonumber(count)
end

-- What is in the window now.
local function count(key, window)
  local total = redis.call('LPOP', key)
  if not total then return 0 end
  total = tonumber(total)
  while true do
    local oldest = redis.call('LINDEX', key, 0)
    if not oldest then return 0 end
    local leaves, number = mark(oldest)
    -- The clock was set back: nothing here could leave in time.
    if leaves > now + 2 * window then
      redis.call('DEL', key)
      return 0
    end
    if leaves > now then
      redis.call('LPUSH', key, total)
      return total
    end
    redis.call('LPOP', key)
    total = total - number
  end
end

local function waitFor(key, total, most, weight)
  local rest, wait = total, 0
  for _, text in ipairs(redis.call('LRANGE', key, 1, -1)) do
    if rest + weight <= most then break end
    local leaves, number = mark(text)
    rest, wait = rest - number, leaves - now
  end
  return wait
end

local function add(key, total, window, slice, weight)
  local leaves = now + window
  if slice > 1 then leaves = (math.floor(now / slice) + 1) * slice + window end
  local last, number
  if total > 0 then last, number = mark(redis.call('LINDEX', key, -1)) end
  if last == leaves then
    redis.call('LSET', key, -1, string.format('%d:%d', leaves, number + weight))
  else
    redis.call('RPUSH', key, string.format('%d:%d', leaves, weight))
  end
  if redis.call('LLEN', key) == 1 then
    redis.call('LPUSH', key, weight)
  else
    redis.call('LSET', key, 0, total + weight)
  end
  redis.call('PEXPIRE', key, leaves - now)
  return leaves
end

local function takeBack(key, leaves, amount)
  local marks = redis.call('LRANGE', key, 1, -1)
  for index, text in ipairs(marks) do
    local at, number = mark(text)
    if at == leaves and number > 0 then
      local taken = math.min(number, amount)
      redis.call('LSET', key, index, string.format('%d:%d', at, number - taken))
      redis.call('LSET', key, 0, redis.call('LINDEX', key, 0) - taken)
      return
    end
  end
end

if ARGV[1] == 'end' then
  for index, key in ipairs(KEYS) do
    if ARGV[3 * index] == 'running' then
      redis.call('ZREM', key, ARGV[2])
    else
      takeBack(key, tonumber(ARGV[1 + 3 * index]), tonumber(ARGV[2 + 3 * index]))
    end
  end
  return 1
end

local lease = tonumber(ARGV[3])
local totals = {}
local refused, wait, seen = 0, -1, 0
for index, key in ipairs(KEYS) do
  local base = 5 * index - 1
  local most, window = tonumber(ARGV[base + 1]), tonumber(ARGV[base + 2])
  local weight = tonumber(ARGV[base + 4])
  local total
  if ARGV[base] == 'running' then
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
    total = redis.call('ZCARD', key)
  else
    total = count(key, window)
  end
  totals[index] = total
  if ARGV[1] == 'enter' and total + weight > most then
    local needed = 0
    if ARGV[base] ~= 'running' then needed = waitFor(key, total, most, weight) end
    if needed > wait then refused, wait, seen = index, needed, total end
  end
end
if ARGV[1] == 'look' then return totals end
if refused > 0 then return { 0, refused, wait, seen } end

local answer = { 1 }
for index, key in ipairs(KEYS) do
  local base = 5 * index - 1
  if ARGV[base] == 'running' then
    redis.call('ZADD', key, now + lease, ARGV[2])
    redis.call('PEXPIRE', key, lease)
    answer[2 * index] = 0
    answer[2 * index + 1] = totals[index] + 1
  else
    local weight = tonumber(ARGV[base + 4])
    answer[2 * index] = add(key, totals[index], tonumber(ARGV[base + 2]), tonumber(ARGV[base + 3]), weight)
    answer[2 * index + 1] = totals[index] + weight
  end
end
return answer
`);

/** Calls that still run: their leases begin again. ARGV: milliseconds of a lease, call ids; one key. */
export const leaseScript = redisScript(`
local clock = redis.call('TIME')
local ends = clock[1] * 1000 + math.floor(clock[2] / 1000) + ARGV[1]
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], ends, ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
`);
