-- One exchange of a process with the fleet. Everything happens by Redis's clock, in
-- milliseconds, at once.
--
-- A place is a time. Redis gives places out a little ahead, in turn, to the processes that
-- want some, and keeps them in the process's box until it asks. A place may be used from its
-- time on, for the grace. The window is longer than that of the limit by this grace.
--
-- Processes go on without Redis. Afterwards each tells which places it has used, and when. The
-- news of a process is numbered, and PROCESSES has the last number, so that all of it counts
-- once.
--
-- KEYS: window (hash: meta, names of lines, one packed line each), processes (hash), turns
-- (sorted set: who waits in which line; the score is line * LINE + number of the turn).
local WINDOW, PROCESSES, TURNS = KEYS[1], KEYS[2], KEYS[3]
-- These were tuned; constants.go says how figures are meant, and has what Go needs, too.
-- After a 429 the share grows by this in a second. At 0.002 17 % are used in the two minutes after "everything is refused for ten
-- minutes", not 34. At 0.02 "another user of the limit" makes the service refuse 3.4 a minute, not 3.1.
local GROW = 0.005
-- A process gets places in advance as long as this part of the burst is left. At 1 of "calls often" one takes
-- 0.38 s, not 0.16. At 1/16 a burst of "bursts" takes 1.88 s, not 1.86.
local SPARE = 1 / 2
-- The clock may go back by so much, and Redis waits. At 100 ms a step of 1.5 s puts all processes on their local shares. At 10 s
-- 21 % are used in the 10 s after a step of 8 s, not 99 ("Redis's clock is set back").
local BACK = 1000
-- Facts.
local LINE = 2 ^ 40 -- the numbers of turns in a line
local LINES = 64 -- bounds memory, and the time of a command
local KEEP = 8 * 24 * 3600 * 1000 -- the window is remembered for so long after the last command: longer than any common limit
local KEEP_PROCESSES = 60000 -- and processes and turns: longer than they count

local req = cjson.decode(ARGV[1])
local me = req.id
local clock = redis.call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000

-- A command may have waited long, such as in a Redis that was stopped. Nobody waits for its
-- places any more, and its news is told again. So it only tells the time.
if now - req.sent > req.patience then
  return cjson.encode({now = now, late = true})
end

local stored = redis.call('HMGET', WINDOW, 'meta', 'names')
local meta = stored[1] and cmsgpack.unpack(stored[1])
local names = stored[2] and cmsgpack.unpack(stored[2]) or {}
-- If the caller has seen newer data than Redis has, Redis has lost data in a restart or a
-- failover. Then, and if there is no data, or if the clock went back, it is not known how
-- much was sent in the last window: the window counts as full.
if not meta or req.era > meta.era or (req.era == meta.era and req.seq > meta.seq) or meta.at > now + BACK then
  local era = math.max(math.floor(now), req.era + 1, meta and meta.era + 1 or 0)
  redis.call('DEL', WINDOW, PROCESSES, TURNS)
  meta = {era = era, seq = 0, live = now + req.lines[1].span, turn = 0, at = now}
  names = {}
end
now = math.max(now, meta.at)
meta.at = now

local lines, changed = {}, {}

-- new returns a new line. In the window that counts as full anyway it begins without places,
-- and processes tell what they use. Later nothing is known of the last window of this line,
-- so it is taken as used evenly.
local function new(p)
  local w = {at = now, tok = 0, log = {}, count = 0, pause = 0, share = 1, strikes = 0, grown = now}
  if meta.live > now then return w end
  w.count = p.limit
  local m = math.min(p.limit, req.parts)
  for i = 1, m do
    w.log[2 * i - 1] = now - p.span * (m - i) / m
    w.log[2 * i] = math.floor(i * p.limit / m) - math.floor((i - 1) * p.limit / m)
  end
  return w
end

-- forget removes the entries that are in no window of a place that may still be given out.
local function forget(w)
  local first = 1
  while first <= #w.log and w.log[first] + w.span <= w.at do
    w.count = w.count - w.log[first + 1]
    first = first + 2
  end
  if first > 1 then
    local kept = {}
    for i = first, #w.log do kept[#kept + 1] = w.log[i] end
    w.log = kept
  end
end

local function line(no, p)
  if lines[no] then return lines[no] end
  local packed = redis.call('HGET', WINDOW, 'w' .. no)
  local w = packed and cmsgpack.unpack(packed) or new(p)
  changed[w] = not packed
  if p and (w.limit ~= p.limit or w.span ~= p.span or w.burst ~= p.burst) then
    w.limit, w.span, w.burst, w.paced, changed[w] = p.limit, p.span, p.burst, nil, true
  end
  local even = w.limit / w.span
  if w.share < 1 then
    w.share = math.min(1, w.share + GROW * math.max(0, now - math.max(w.grown, w.pause)) / 1000)
    w.grown = now
  end
  if now > w.at then -- a rest
    w.tok = math.min(w.share < 1 and 1 or w.burst, w.tok + (now - w.at) * even * w.share)
    w.at = now
  end
  forget(w)
  lines[no] = w
  return w
end

-- paces returns how fast places may be given out from now on without ever having to wait for
-- the window: a list of {from, places per millisecond}. The list begins when there is room for
-- one. Each pace is higher than the one before, and the last one is the most that is wanted.
local function paces(w, most)
  -- Until a place leaves the window, no more may be given out than there was room for before.
  -- The paces are the lower convex hull of these points.
  local hull, room = {{w.at, 0}}, w.limit - w.count + w.limit / req.parts
  local function slope(p, q) return (q[2] - p[2]) / (q[1] - p[1]) end
  for i = 1, #w.log, 2 do
    local leaves = w.log[i] + w.span
    if leaves > hull[1][1] then
      if room < 1 then
        hull = {{leaves, 0}}
      else
        local point = {leaves, room}
        while #hull > 1 and slope(hull[#hull - 1], hull[#hull]) >= slope(hull[#hull], point) do hull[#hull] = nil end
        hull[#hull + 1] = point
      end
    end
    room = room + w.log[i + 1]
  end
  local list, i = {}, 1
  while i < #hull and slope(hull[i], hull[i + 1]) < most do
    list[i] = {hull[i][1], slope(hull[i], hull[i + 1])}
    i = i + 1
  end
  list[i] = {hull[i][1], most}
  return list
end

-- pace returns the first of these paces, or the share that is left after 429s.
local function pace(no)
  local w = lines[no]
  if w.paced and w.at - w.paced < w.span / req.parts then return w.pace end
  local even = w.limit / w.span
  w.paces, w.paced = paces(w, even), w.at
  w.pace = math.min(w.paces[1][2], even * w.share)
  return w.pace
end

-- following returns the time of the next place of a line.
local function following(no)
  local w = lines[no]
  local t = w.at
  if w.tok < 1 then t = t + (1 - w.tok) / pace(no) end
  t = math.max(t, w.pause)
  local count, i = w.count, 1
  while i <= #w.log and (w.log[i] + w.span <= t or count >= w.limit) do
    t = math.max(t, w.log[i] + w.span)
    count = count - w.log[i + 1]
    i = i + 2
  end
  return t
end

local function entry(w, t) -- places count from the end of their part of the window
  local part = w.span / req.parts
  return math.ceil((math.floor(t / part) + 1) * part)
end

local function count(w, t, n)
  changed[w] = true
  local e, i = entry(w, t), #w.log - 1
  while i >= 1 and w.log[i] > e do i = i - 2 end
  if i >= 1 and w.log[i] == e then
    w.log[i + 1] = w.log[i + 1] + n
  else
    table.insert(w.log, i + 2, e)
    table.insert(w.log, i + 3, n)
  end
  w.count = w.count + n
  meta.seq = meta.seq + n
end

-- gone reports whether a place is in no window any more.
local function gone(w, t) return entry(w, t) + w.span <= w.at end

-- spend counts places that a process has used on its own.
local function spend(w, t, n)
  if n == 0 or gone(w, t) then return end
  count(w, t, n)
  w.tok, w.paced = math.max(0, w.tok - n), nil
end

local function take(no, t)
  local w = lines[no]
  if w.tok < 1 then
    w.tok = math.max(1, math.min(w.burst, w.tok + (t - w.at) * pace(no)))
    w.at = math.max(w.at, t)
  end
  w.tok = w.tok - 1
  count(w, math.ceil(t), 1)
end

-- giveBack takes back a place that was not used.
local function giveBack(w, t)
  changed[w] = true
  local e = entry(w, t)
  for i = #w.log - 1, 1, -2 do
    if w.log[i] == e and w.log[i + 1] > 0 then
      w.log[i + 1] = w.log[i + 1] - 1
      w.count = w.count - 1
      w.tok = math.min(w.share < 1 and 1 or w.burst, w.tok + 1)
      return
    end
  end
end

-- refused records a 429. If the attempt was sent before the end of a pause, it can only make
-- that pause longer.
local function refused(w, r)
  changed[w] = true
  if now - r.age <= w.pause then
    w.pause = math.max(w.pause, now + r.after)
    return
  end
  if now - w.pause > w.span then w.strikes = 0 end
  w.strikes = w.strikes + 1
  local after = r.after > 0 and r.after or math.min(r.most, r.first * 2 ^ (w.strikes - 1))
  w.share = math.max(r.least, w.share * (1 - r.cut))
  w.pause, w.grown, w.tok, w.paced = now + after, now + after, 0, nil
end

local function drop(member) -- the process wants no more places in a line
  redis.call('ZREM', TURNS, member)
  redis.call('HDEL', PROCESSES, 'n' .. member)
end

local function head(no)
  while true do
    local first = redis.call('ZRANGEBYSCORE', TURNS, no * LINE, '(' .. string.format('%.0f', (no + 1) * LINE), 'WITHSCORES', 'LIMIT', 0, 1)
    if not first[1] then return nil end
    local id = string.match(first[1], ':(.*)')
    local seen = redis.call('HGET', PROCESSES, 's' .. id)
    if seen and now - seen <= req.ghost then
      line(no)
      return {no = no, id = id, member = first[1], turn = first[2] - no * LINE}
    end
    drop(first[1])
    redis.call('HDEL', PROCESSES, 'b' .. first[1], 's' .. id, 't' .. id)
  end
end

local function put(member, t) -- puts a place into the box of a process
  local box = redis.call('HGET', PROCESSES, 'b' .. member)
  redis.call('HSET', PROCESSES, 'b' .. member, (box and box .. ' ' or '') .. string.format('%.0f', math.ceil(t)))
end

-- open takes the places out of the box of a process. Those that are gone are of no use to a
-- process on its own.
local function open(w, member)
  local places = {}
  for t in string.gmatch(redis.call('HGET', PROCESSES, 'b' .. member) or '', '%d+') do
    if not req.on_its_own or not gone(w, tonumber(t)) then places[#places + 1] = t end
  end
  redis.call('HDEL', PROCESSES, 'b' .. member)
  return places
end

-- hear counts what a process tells: places that it has used on its own, at their own times, and
-- places that it was given and has not used. The first places that it has used on its own take
-- the place of those in its boxes.
local function hear(mine, boxes)
  if not req.news then return end
  local heard = tonumber(redis.call('HGET', PROCESSES, 't' .. me) or 0)
  for k, n in ipairs(req.news) do
    if req.told + k > heard then
      local i, used, t = n[1], n[2], n[3]
      local no = mine[i]
      if used < 0 then
        giveBack(lines[no], t)
        if no > 1 then giveBack(lines[1], t) end
      else
        while req.on_its_own and used > 0 and boxes[i][1] and not gone(lines[no], t) do
          table.remove(boxes[i], 1)
          used = used - 1
        end
        spend(lines[no], math.min(t, now), used)
        if no > 1 then spend(lines[1], math.min(t, now), used) end
      end
    end
  end
  redis.call('HSET', PROCESSES, 't' .. me, string.format('%.0f', math.max(heard, req.told + #req.news)))
end

local function deal(h, t)
  take(1, t)
  if h.no > 1 then take(h.no, t) end
  put(h.member, t)
  meta.turn = math.max(meta.turn, h.turn)
  for no = 1, #names do -- one turn for all lines of a process
    redis.call('ZADD', TURNS, 'XX', string.format('%.0f', no * LINE + h.turn + 1), no .. ':' .. h.id)
  end
  if redis.call('HINCRBY', PROCESSES, 'n' .. h.member, -1) <= 0 then drop(h.member) end
end

local function dealAll()
  local heads = {}
  while true do
    local best, at
    for no = 1, #names do
      local h = head(no)
      heads[no] = h
      if h then
        local t = following(1)
        if no > 1 then t = math.max(t, following(no)) end
        if not best or t < at or (t == at and h.turn < best.turn) then best, at = h, t end
      end
    end
    if not best or at > now + req.lead then return end
    deal(best, at)
  end
end

local reply = {now = now, era = meta.era, spent = math.max(0, meta.live - now), lines = {}}
local known = {}
for i, name in ipairs(names) do known[name] = i end
redis.call('HSET', PROCESSES, 's' .. me, now) -- the first write: a full Redis refuses it
local mine, boxes = {}, {}
for i, p in ipairs(req.lines) do
  local no = known[p.name]
  if not no then
    if #names >= LINES then return redis.error_reply('too many routes with a limit of their own') end
    no = #names + 1
    names[no] = p.name
  end
  mine[i] = no
  line(no, p)
  boxes[i] = open(lines[no], no .. ':' .. me)
end
hear(mine, boxes)
if req.bye then redis.call('HDEL', PROCESSES, 's' .. me, 't' .. me) end
if reply.spent == 0 then
  for i, p in ipairs(req.lines) do
    local no, w = mine[i], lines[mine[i]]
    local member = no .. ':' .. me
    if p.refused then refused(w, p.refused) end
    local need = p.need - #boxes[i]
    p.box = table.concat(boxes[i], ' ')
    if req.on_its_own and p.box ~= '' then -- they stay in the box, and wait for it
      redis.call('HSET', PROCESSES, 'b' .. member, p.box)
      p.box = ''
    end
    if need <= 0 or req.bye then
      drop(member)
    else
      redis.call('HSET', PROCESSES, 'n' .. member, need)
      redis.call('ZADD', TURNS, 'NX', string.format('%.0f', no * LINE + meta.turn + 1), member)
    end
  end
  dealAll()
  for i, p in ipairs(req.lines) do
    local no, w = mine[i], lines[mine[i]]
    local member = no .. ':' .. me
    if not req.on_its_own then
      for _ = 1, p.extra do
        local c = lines[1]
        if c.tok < c.burst * SPARE or w.tok < w.burst * SPARE or c.tok < 1 or w.tok < 1 or math.max(following(1), following(no)) > now then break end
        take(1, now)
        if no > 1 then take(no, now) end
        put(member, now)
      end
      local dealt = redis.call('HGET', PROCESSES, 'b' .. member)
      redis.call('HDEL', PROCESSES, 'b' .. member)
      p.box = p.box .. (dealt and ' ' .. dealt or '')
    end
    pace(no)
    reply.lines[i] = {places = p.box, paused = math.max(0, w.pause - now), paces = w.paces, share = w.share}
  end
end
for no, w in pairs(lines) do
  if changed[w] then redis.call('HSET', WINDOW, 'w' .. no, cmsgpack.pack(w)) end
end

reply.seq = meta.seq
reply.active = redis.call('ZCARD', TURNS)
redis.call('HSET', WINDOW, 'meta', cmsgpack.pack(meta), 'names', cmsgpack.pack(names))
redis.call('PEXPIRE', WINDOW, KEEP)
redis.call('PEXPIRE', PROCESSES, KEEP_PROCESSES)
redis.call('PEXPIRE', TURNS, KEEP_PROCESSES)
return cjson.encode(reply)
