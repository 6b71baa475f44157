-- One command of a process. Times are milliseconds of Redis. A place is a name with a time in
-- PLACES. WAITING has who waits, with the time of its last place; HEARD when a process was heard,
-- in time that Redis was up; STATE the rest, and of who waits its next name and since when. An era
-- is a time in which no data was lost and the clock was not moved.
local PLACES, WAITING, HEARD, STATE = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local GRACE, LEASE = 300, 500 -- who is late, and how long a lease of one process alone is
local KEPT = 120000 -- for so long a process that is missing keeps its part: see late
local call, a = redis.call, {} -- one text: a locked Redis says NOAUTH to short commands only
for text in string.gmatch(ARGV[1], '%S+') do a[#a + 1] = tonumber(text) or text end
local id, sent, patience, seen, limit, window, burst = unpack(a, 1, 7)
local programs, share, nextName, want, leaves, refused, known, last, moved = unpack(a, 8, 16)
local even, forget = window / limit, math.ceil(2 * window) + 60000
local clock = call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000
-- Nobody waits any more for a command that came late, such as out of a Redis that was stopped.
if now - moved - sent > patience then return string.format('{"now":%.3f,"era":0}', now) end
call('HSET', STATE, 'sent', sent) -- a full Redis refuses this, before anything has changed
-- How many a process knows of counts only if it has had a place lately.
if now - moved - last > window + programs * even then programs = 0 end
local MEMBERS, s = {'era', 'at', 'up', 'due', 'size', 'alone', 'pause', 'share', 'cuts'}, {}
for i, v in ipairs(call('HMGET', STATE, unpack(MEMBERS))) do s[MEMBERS[i]] = tonumber(v) or 0 end
-- An era ends with its data, if data is older than what the process has seen, or if only processes
-- have used places for long. It ends if the clock was set back, so that now is before the last
-- command or before this one was sent, or forward, as the first process says that notices.
if s.era == 0 or s.at > now + patience or (programs > 0 and now - s.at > forget)
  or (s.era == known and (sent > now + patience or (moved > 0 and s.at < now - moved + patience)
  or (tonumber(call('ZSCORE', HEARD, id)) or s.up) < seen - 1)) then
  call('DEL', PLACES, WAITING, HEARD, STATE)
  s = {era = math.floor(now), at = now, due = now, share = 1}
  for _, m in ipairs(MEMBERS) do s[m] = s[m] or 0 end
end
now = math.max(now, s.at)
s.up = s.up + math.min(now - s.at, 500)
-- Then, and after a silence in which all may have ended, processes go on alone until all have told.
if now - s.at > 1000 + 2 * even and call('DEL', WAITING) > 0 then
  s.alone, s.size = now + 1000 + 1.2 * even * call('ZCARD', HEARD), 0
end
-- What a process says of another era has times of that one, so it does not count. It tells again.
if known == s.era then programs = 0 else last, ARGV[2], ARGV[3] = 0, '', '' end
if known ~= s.era and known > 0 then want = math.min(want, 0) end
s.size = math.max(s.size, programs)
local told = s.size > 0 and math.max(s.alone, s.era + 1000 + 2.2 * even * s.size) or s.alone
if now < math.max(told, s.era + 1000) then s.due = math.max(s.due, now) end
-- slot returns when the next place is free from a time on, and how much later the one after is:
-- evenly, or slower to pay back a burst until the oldest places of the window come back.
local function slot(from, leave)
  local last = call('ZRANGE', PLACES, -limit, -limit, 'WITHSCORES')[2]
  local t = math.max(from, s.pause, last and last + window or 0)
  s.due = math.max(s.due, t - (s.share < 1 and 0 or burst - 1) * even)
  t = math.max(t, s.due + leave * even)
  local gone = call('ZCOUNT', PLACES, '-inf', t - window)
  local oldest = call('ZRANGE', PLACES, gone, gone, 'WITHSCORES')[2]
  if not oldest then return t, even end
  local left = limit - call('ZCARD', PLACES) + gone
  return t, math.max(even, (oldest + window - t) / left)
end
local function put(who, name, t) return call('ZADD', PLACES, t, who .. ':' .. name) end
local function names(who) return tonumber(call('HGET', STATE, who)) or 0 end -- the next one
-- Who is late goes on alone, so its places are put here as it takes them, by the same names. It
-- is cut off, or has ended, as one that had just come. The fewer are missing, the less it costs to
-- keep their parts: half of all keep them for 3 s, a third for 11, a quarter for 26, few for KEPT.
while now >= told do
  local waiting, all = call('ZCARD', WAITING), math.max(1, call('ZCARD', HEARD))
  local late, t = unpack(call('ZRANGE', WAITING, 0, 0, 'WITHSCORES'))
  if not late or t + math.max(GRACE, even * all) > now then break end
  local name, heard = names(late), tonumber(call('ZSCORE', HEARD, late)) or 0
  local missing = call('ZCOUNT', HEARD, '-inf', s.up - 1000 - 1.2 * even * all)
  local age = heard - (tonumber(call('HGET', STATE, late .. '+')) or heard)
  if age < 1000 or s.up - heard > math.min(KEPT, 400 * (waiting / missing) ^ 3) then
    call('ZREM', WAITING, late)
  else
    t, s.due = t + even * all, s.due + even / s.share
    put(late, name, t)
    call('ZADD', WAITING, t, late)
    call('HSET', STATE, late, name + 1)
  end
end
-- What the process has used, what it gives back, and the names that it was given for being late.
for name, t in string.gmatch(ARGV[2], '(%d+):([%d.]+)') do
  s.due = math.max(s.due, math.min(s.due + even * put(id, name, t), now))
end
local function remove(name) return call('ZREM', PLACES, id .. ':' .. name) end
for name in string.gmatch(ARGV[3], '%d+') do s.due = s.due - even * remove(name) end
for name = nextName, names(id) - 1 do remove(name) end
if refused > 0 then
  s.share, s.cuts = now < s.pause and math.min(s.share, share) or share, s.cuts + 1
  s.pause = math.max(s.pause, now + refused)
end
-- The places: all that are free now, and a lease of those that will be.
local given, lease = {}, 0
call('ZADD', HEARD, s.up, id)
local most = math.max(1, math.floor(LEASE / call('ZCARD', HEARD) / even))
while #given < want and lease < most and now >= (programs == 0 and s.alone or told) do
  local t, step = slot(now, leaves)
  if t > now + 1000 and (leaves > 0 or #given > 0) then break end
  put(id, nextName + #given, t)
  last, lease, s.due = t, lease + (t > now and 1 or 0), s.due + step / share
  given[#given + 1] = string.format('%.3f', t)
end
if last > now and want >= 0 then
  call('ZADD', WAITING, last, id)
  call('HSET', STATE, id, nextName + #given)
  call('HSETNX', STATE, id .. '+', s.up)
else
  call('ZREM', WAITING, id)
  call('HDEL', STATE, id, id .. '+')
end
if want < 0 then call('ZREM', HEARD, id) end
for _, p in ipairs(call('ZRANGEBYSCORE', HEARD, '-inf', s.up - 10000)) do
  if not call('ZSCORE', WAITING, p) then call('ZREM', HEARD, p) call('HDEL', STATE, p, p .. '+') end
end
call('ZREMRANGEBYSCORE', PLACES, '-inf', now - window)
s.at = now
for _, m in ipairs(MEMBERS) do call('HSET', STATE, m, s[m]) end
for i = 1, 4 do call('PEXPIRE', KEYS[i], i == 4 and 8 * 86400000 or forget) end
local count, line = call('ZCOUNT', PLACES, '-inf', math.max(now, last)), {}
for i = 0, count > 0 and 8 or -1 do -- how old the oldest place is, seven between, and the newest
  local rank = math.floor(i * (count - 1) / 8)
  line[i + 1] = string.format('%.0f', now - call('ZRANGE', PLACES, rank, rank, 'WITHSCORES')[2])
end
local all = math.max(call('ZCARD', HEARD), now < told and s.size or 0)
return string.format('{"now":%.3f,"era":%.0f,"alone":%.3f,"programs":%d,"cuts":%d,"pause":%.3f,'
  .. '"share":%.17g,"count":%d,"up":%.3f,"places":[%s],"line":[%s]}', now, s.era, told, all, s.cuts,
  s.pause - now, s.share, count, s.up, table.concat(given, ','), table.concat(line, ','))
