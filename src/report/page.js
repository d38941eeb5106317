/* The script of a report: sorts tables, and draws the candidates of the data that the page carries. It asks for
 * nothing: no network, no other file. Foreign text becomes text nodes only. */
'use strict';
const start = () => {
  /* ---- Tables of the page itself ---- */
  const compareText = (a, b) => {
    const x = parseFloat(a), y = parseFloat(b);
    if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1;
    return isNaN(x) || x === y ? a.localeCompare(b, undefined, {numeric: true}) : x - y;
  };
  const sortable = (head, sort) => {
    head.classList.add('sortable');
    head.tabIndex = 0;
    head.title = 'sort';
    head.onclick = sort;
    head.onkeydown = event => { if (event.key === 'Enter') sort(); };
  };
  for (const table of document.querySelectorAll('table.sort')) {
    const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, i) => sortable(head, () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      const rows = [...body.rows].map(row => [row.cells[i].textContent, row]);
      rows.sort((a, b) => down ? compareText(b[0], a[0]) : compareText(a[0], b[0]));
      heads.forEach(other => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      body.append(...rows.map(pair => pair[1]));
    }));
  }
  const holder = document.getElementById('data'), room = document.getElementById('explore');
  if (!holder || !room) return;
  const data = JSON.parse(holder.textContent), count = data.number.length;
  if (!count) return;
  document.body.classList.add('live');
  room.textContent = '';

  /* ---- Elements ---- */
  const make = (name, attributes, parent, text) => {
    const element = document.createElement(name);
    for (const key in attributes || {}) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    if (parent) parent.append(element);
    return element;
  };
  const draw = (name, attributes, parent, text) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const key in attributes || {}) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    if (parent) parent.append(element);
    return element;
  };
  const picture = (parent, width, height, name) => {
    const svg = draw('svg', {viewBox: `0 0 ${width} ${height}`, class: 'plot', role: 'img'}, parent);
    svg.style.maxWidth = width + 'px';
    draw('title', {}, svg, name);
    svg.id = 'plot-' + name.replace(/[^a-z0-9]+/gi, '-').toLowerCase();
    return svg;
  };
  const section = (id, title, note) => {
    const part = make('section', {id}, room);
    make('h2', {}, part, title);
    if (note) make('p', {class: 'note'}, part, note);
    return part;
  };
  const tip = (element, text) => draw('title', {}, element, text);

  /* ---- Numbers ---- */
  const short = number => {
    if (number === null || !isFinite(number)) return '–';
    const size = Math.abs(number);
    if (Number.isInteger(number) && size < 1e6) return String(number);
    if (size !== 0 && (size < 1e-3 || size >= 1e6)) return number.toExponential(2);
    return number.toFixed(size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0);
  };
  const withUnit = number => short(number) + (data.unit ? ' ' + data.unit : '');
  const duration = s => s < 120 ? Math.round(s) + ' s' : s < 7200 ? Math.round(s / 60) + ' min' : (s / 3600).toFixed(1) + ' h';
  const quantile = (sorted, share) => {
    const at = (sorted.length - 1) * share, low = Math.floor(at);
    return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
  };
  const ascending = values => Float64Array.from(values).sort();
  /* Without what lies far from the middle half: samples that another program interrupted would squeeze all others. */
  const bulk = values => {
    const sorted = ascending(values), first = quantile(sorted, 0.25), last = quantile(sorted, 0.75);
    const reach = Math.max(3 * (last - first), Math.abs(last) * 0.02);
    const inside = sorted.filter(value => value >= first - reach && value <= last + reach);
    return [inside[0], inside[inside.length - 1]];
  };
  const outside = (values, low, high) => {
    const count = values.filter(value => value < low || value > high).length;
    return count ? ` ${count} of ${values.length} lie outside, and stand at the edge.` : '';
  };
  const ticks = (low, high, most) => {
    const raw = (high - low) / most || 1, power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].find(s => s * power >= raw) * power, list = [];
    for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) list.push(+at.toPrecision(12));
    return list;
  };

  /* ---- Candidates ---- */
  const BEST = 1, TIED = 2, BASELINE = 4, PARETO = 8, SUSPICIOUS = 16;
  const knobs = data.params.filter(param => param.values.length > 1);
  const works = i => data.value[i] !== null;
  const outcome = i => data.outcomes[data.outcome[i]];
  const valueOf = (param, i) => param.of[i] < 0 ? '' : param.values[param.of[i]];
  const config = i => knobs.map(param => `${param.name}=${valueOf(param, i)}`).join(' ');
  const better = (a, b) => data.maximise ? a > b : a < b;
  const marks = i => [[BEST, 'best'], [TIED, 'tied'], [BASELINE, 'baseline'], [PARETO, 'Pareto'], [SUSPICIOUS, 'SUSPICIOUS']]
    .filter(mark => data.marks[i] & mark[0]).map(mark => mark[1]).join(', ');
  const label = i => `${config(i)}\n${data.metric}: ${short(data.value[i])} (${outcome(i)})`;
  const measured = [];
  for (let i = 0; i < count; i++) if (works(i)) measured.push(i);

  /* ---- Axes ---- */
  const WIDE = Math.max(360, Math.min(1180, room.clientWidth || 1180));
  const decades = [1, 2, 5].flatMap(m => Array.from({length: 18}, (_, k) => +(m * 10 ** (k - 9)).toPrecision(3)));
  const frame = (svg, box, xs, ys, options) => {
    const across = at => options.logx ? Math.log(at) : at;
    const x = at => box.left + (across(at) - across(xs[0])) / (across(xs[1]) - across(xs[0]) || 1) * (box.right - box.left);
    const log = options.log && ys[0] > 0;
    const scale = at => log ? Math.log(at) : at;
    const y = at => box.bottom - (scale(at) - scale(ys[0])) / (scale(ys[1]) - scale(ys[0]) || 1) * (box.bottom - box.top);
    for (const at of options.yticks || ticks(ys[0], ys[1], 5)) {
      if (at < ys[0] || at > ys[1]) continue;
      draw('line', {class: 'grid', x1: box.left, x2: box.right, y1: y(at), y2: y(at)}, svg);
      draw('text', {class: 'tick', x: box.left - 8, y: y(at) + 4, 'text-anchor': 'end'}, svg, Math.abs(at) >= 1e6 || (at && Math.abs(at) < 1e-3) ? short(at) : String(+at.toPrecision(4)));
    }
    for (const at of options.xticks || ticks(xs[0], xs[1], WIDE < 600 ? 3 : 7))
      draw('text', {class: 'tick', x: x(at), y: box.bottom + 18, 'text-anchor': 'middle'}, svg, options.xname ? options.xname(at) : +at.toPrecision(6));
    draw('line', {class: 'axis', x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom}, svg);
    if (options.xtitle) draw('text', {class: 'axis-title', x: (box.left + box.right) / 2, y: box.bottom + 38, 'text-anchor': 'middle'}, svg, options.xtitle);
    /* A long title begins at the edge instead of ending at the axis. */
    const isLong = options.ytitle && options.ytitle.length * 9 > box.left - 8;
    if (options.ytitle) draw('text', {class: 'axis-title', x: isLong ? 0 : box.left - 8, y: box.top - 8, 'text-anchor': isLong ? 'start' : 'end'}, svg, options.ytitle);
    return {x, y};
  };

  /* ---- The verdict as a picture ---- */
  const pairs = (data.pair_times || []).map((time, i) => data.pair_baseline[i] / time);
  const pairPicture = () => {
    const range = bulk(pairs), shown = [data.speedup_low ?? 1, data.speedup_high ?? 1, 1];
    let low = Math.min(range[0], ...shown), high = Math.max(range[1], ...shown);
    const spare = (high - low) * 0.06 || 0.02;
    low -= spare; high += spare;
    const part = section('verdict', data.verdict === 'IMPROVED' ? 'The proof: pairs with the baseline' : 'Pairs with the baseline',
      'Each dot is a pair of times taken back to back: the baseline\'s over the candidate\'s. Right of 1 the candidate was faster. A row is a process.' +
      outside(pairs, low, high));
    const processes = [...new Set(data.pair_process)], rows = processes.length;
    const sorted = ascending(pairs), width = WIDE, top = 26, height = Math.max(110, 34 + rows * 14) + 46;
    const svg = picture(part, width, height, 'pairs');
    const box = {left: 30, right: width - 20, top, bottom: height - 44};
    const {x} = frame(svg, box, [low, high], [0, 1], {yticks: [], xtitle: 'baseline time / candidate time'});
    if (data.speedup_low !== null && data.speedup_high !== null) {
      const band = draw('rect', {class: 'band', x: x(data.speedup_low), width: Math.max(2, x(data.speedup_high) - x(data.speedup_low)), y: top, height: box.bottom - top}, svg);
      tip(band, `interval ${short(data.speedup_low)} to ${short(data.speedup_high)}`);
    }
    draw('line', {class: 'base', x1: x(1), x2: x(1), y1: top, y2: box.bottom}, svg);
    draw('text', {class: 'tick', x: x(1), y: top - 8, 'text-anchor': 'middle'}, svg, 'no change');
    const middle = quantile(sorted, 0.5);
    draw('line', {class: 'middle', x1: x(middle), x2: x(middle), y1: top, y2: box.bottom}, svg);
    if (Math.abs(x(middle) - x(1)) > 70) draw('text', {class: 'tick strong', x: x(middle), y: top - 8, 'text-anchor': 'middle'}, svg, short(middle) + 'x');
    pairs.forEach((ratio, i) => {
      const row = processes.indexOf(data.pair_process[i]);
      const at = Math.min(box.right, Math.max(box.left, x(ratio)));
      draw('circle', {class: 'dot', cx: at.toFixed(1), cy: (top + (row + 0.5) * (box.bottom - top) / rows).toFixed(1), r: 3.2}, svg);
    });
  };

  const distributions = () => {
    const groups = [['candidate', data.pair_times, 'a'], ['baseline', data.pair_baseline, 'b']];
    const all = ascending(data.pair_times.concat(data.pair_baseline)), unit = all[all.length >> 1];
    const [name, ns] = [['s', 1e9], ['ms', 1e6], ['us', 1e3], ['ns', 1]].find(entry => unit >= entry[1]) || ['ns', 1];
    const ranges = groups.map(group => bulk(group[1])), bins = 48;
    const low = Math.min(ranges[0][0], ranges[1][0]) / ns, high = Math.max(ranges[0][1], ranges[1][1]) / ns, step = (high - low) / bins || 1;
    const part = section('distribution', 'Times of the candidate and of the baseline',
      'All samples of the confirmation, as shares of each.' + outside([...all], low * ns, high * ns));
    const counts = groups.map(group => {
      const list = new Array(bins).fill(0);
      for (const time of group[1]) list[Math.min(bins - 1, Math.max(0, Math.floor((time / ns - low) / step)))]++;
      return list.map(n => n / group[1].length);
    });
    const svg = picture(part, WIDE, 280, 'distribution'), box = {left: 70, right: WIDE - 20, top: 24, bottom: 236};
    const {x, y} = frame(svg, box, [low, high || low + 1], [0, Math.max(...counts.flat())], {xtitle: `time (${name})`, ytitle: 'share'});
    counts.forEach((list, g) => list.forEach((share, i) => {
      if (share) draw('rect', {class: 'bar-' + groups[g][2], x: x(low + i * step), width: Math.max(1, x(low + step) - x(low) - 1), y: y(share), height: box.bottom - y(share)}, svg);
    }));
    groups.forEach((group, g) => {
      draw('rect', {class: 'bar-' + group[2], x: WIDE - 200 + g * 96, y: 8, width: 12, height: 12}, svg);
      draw('text', {class: 'tick', x: WIDE - 183 + g * 96, y: 18}, svg, group[0]);
    });
  };

  /* ---- Best so far ---- */
  const progress = () => {
    const last = Math.max(...data.made.map(at => at ?? 0)), byTime = last >= 20;
    const order = byTime ? [...measured].sort((a, b) => data.made[a] - data.made[b] || data.number[a] - data.number[b]) : measured;
    /* Results are known to the second: those of one second are spread over it. */
    const moment = new Float64Array(count);
    for (let k = 0; byTime && k < order.length;) {
      let end = k;
      while (end < order.length && data.made[order[end]] === data.made[order[k]]) end++;
      for (let j = k; j < end; j++) moment[order[j]] = Math.max(0, data.made[order[k]] + (j - k) / (end - k) - 0.5);
      k = end;
    }
    const part = section('progress', 'Best so far',
      'Each dot is a candidate, as it was measured last; the line goes through those that were better than all before them. The ring is the best by all measurements.');
    const svg = picture(part, WIDE, 320, 'best so far'), box = {left: 76, right: WIDE - 20, top: 28, bottom: 268};
    const sorted = ascending(order.map(i => data.value[i]));
    const low = sorted[0], high = Math.max(quantile(sorted, 0.98), low * 1.02);
    const end = byTime ? last : Math.max(1, data.number[order[order.length - 1]]);
    const {x, y} = frame(svg, box, [0, end], [low > 0 ? low * 0.97 : low, high * 1.03], {
      log: high / low > 4, yticks: high / low > 4 && low > 0 ? decades : undefined,
      xtitle: byTime ? 'time since the start' : 'candidate', xname: byTime ? duration : undefined, ytitle: data.metric});
    const stride = Math.ceil(order.length / 6000), at = i => byTime ? moment[i] : data.number[i];
    let others = '', line = '', best = null;
    const steps = [];
    order.forEach((i, k) => {
      const value = Math.min(data.value[i], high * 1.03);
      if (best === null || (better(data.value[i], best) && !(data.marks[i] & SUSPICIOUS))) {
        line += best === null ? `M${x(at(i)).toFixed(1)} ${y(value).toFixed(1)}` : `H${x(at(i)).toFixed(1)}V${y(value).toFixed(1)}`;
        best = data.value[i];
        steps.push(i);
      } else if (k % stride === 0) others += `M${x(at(i)).toFixed(1)} ${y(value).toFixed(1)}h0`;
    });
    draw('path', {class: 'others', d: others}, svg);
    draw('path', {class: 'line', d: line + `H${x(end).toFixed(1)}`}, svg);
    for (const i of steps) tip(draw('circle', {class: 'dot step', cx: x(at(i)), cy: y(Math.min(data.value[i], high * 1.03)), r: 4}, svg), label(i));
    const chosen = order.find(i => data.marks[i] & BEST);
    if (chosen !== undefined) tip(draw('circle', {class: 'ring', cx: x(at(chosen)), cy: y(Math.min(data.value[chosen], high * 1.03)), r: 7}, svg), label(chosen));
  };

  /* ---- Knobs ---- */
  /* The share of the variance of the logarithms that the values of a knob explain. */
  const importance = param => {
    const sums = new Float64Array(param.values.length), counts = new Float64Array(param.values.length);
    let all = 0, n = 0, whole = 0, between = 0;
    const logs = measured.filter(i => data.value[i] > 0 && param.of[i] >= 0);
    for (const i of logs) {
      const log = Math.log(data.value[i]);
      sums[param.of[i]] += log; counts[param.of[i]]++; all += log; n++;
    }
    for (const i of logs) whole += (Math.log(data.value[i]) - all / n) ** 2;
    sums.forEach((sum, v) => { if (counts[v]) between += counts[v] * (sum / counts[v] - all / n) ** 2; });
    return whole > 0 ? between / whole : 0;
  };
  const boxes = (param, share, parent) => {
    const card = make('div', {class: 'knob'}, parent), head = make('p', {class: 'knob-head'}, card);
    make('b', {}, head, param.name);
    make('span', {class: 'faint'}, head, ` explains ${Math.round(100 * share)} % of the differences`);
    const meter = make('div', {class: 'meter'}, card);
    make('div', {style: `width:${Math.round(100 * share)}%`}, meter);
    const groups = param.values.map((value, v) => [value, []]);
    for (const i of measured) if (param.of[i] >= 0) groups[param.of[i]][1].push(data.value[i]);
    const shown = groups.filter(group => group[1].length), most = 16;
    const step = Math.ceil(shown.length / most), kept = shown.filter((group, k) => k % step === 0);
    const width = 420, svg = picture(card, width, 210, 'effect of ' + param.name), box = {left: 58, right: width - 8, top: 28, bottom: 168};
    const all = ascending(measured.map(i => data.value[i])), low = all[0], high = Math.max(quantile(all, 0.97), low);
    const {y} = frame(svg, box, [0, 1], [low, high], {xticks: [], log: low > 0 && high / low > 5});
    draw('text', {class: 'axis-title', x: 4, y: 13}, svg, data.metric);
    const lane = (box.right - box.left) / kept.length, clip = v => y(Math.min(high, Math.max(low, v)));
    if (lane >= 34) draw('text', {class: 'axis-title', x: (box.left + box.right) / 2, y: box.bottom + 36, 'text-anchor': 'middle'}, svg, param.name);
    kept.forEach((group, k) => {
      const sorted = ascending(group[1]), middle = box.left + (k + 0.5) * lane, half = Math.min(14, lane * 0.34);
      const q = share => clip(quantile(sorted, share));
      const g = draw('g', {class: 'box'}, svg);
      draw('line', {x1: middle, x2: middle, y1: q(0), y2: q(1)}, g);
      draw('rect', {x: middle - half, width: 2 * half, y: Math.min(q(0.25), q(0.75)), height: Math.max(1, Math.abs(q(0.25) - q(0.75)))}, g);
      draw('line', {class: 'median', x1: middle - half, x2: middle + half, y1: q(0.5), y2: q(0.5)}, g);
      tip(g, `${param.name}=${group[0]}: ${sorted.length} candidates\nbest ${short(data.maximise ? sorted[sorted.length - 1] : sorted[0])}, median ${short(quantile(sorted, 0.5))}`);
      const text = draw('text', {class: 'tick', x: middle, y: box.bottom + 16, 'text-anchor': lane < 34 ? 'end' : 'middle'}, svg, group[0].length > 10 ? group[0].slice(0, 9) + '…' : group[0]);
      if (lane < 34) text.setAttribute('transform', `rotate(-45 ${middle} ${box.bottom + 16})`);
      g.addEventListener('click', () => filterBy(`${param.name}=${group[0]}`));
    });
  };
  const knobSection = () => {
    const ranked = knobs.map(param => [param, importance(param)]).sort((a, b) => b[1] - a[1]);
    const part = section('knobs', 'Effect of each knob',
      `${data.metric} of all candidates that work, by the values of each knob, the most important first. Boxes hold the middle half; a click filters the table.`);
    const grid = make('div', {class: 'knobs'}, part);
    ranked.slice(0, 24).forEach(pair => boxes(pair[0], pair[1], grid));
    if (ranked.length > 24) make('p', {class: 'note'}, part, `and ${ranked.length - 24} more that explain less`);
    return ranked;
  };

  /* ---- Two knobs ---- */
  const choose = (parent, name, words, chosen) => {
    const holder = make('label', {class: 'choice'}, parent, name + ' ');
    const select = make('select', {'aria-label': name}, holder);
    words.forEach((word, i) => make('option', {value: i}, select, word));
    select.value = chosen;
    return select;
  };
  const heatMap = ranked => {
    const part = section('heatmap', 'Two knobs together', 'The better a cell, the stronger its colour. A cross: nothing works there; empty: not tried.');
    const bar = make('p', {class: 'bar'}, part), names = knobs.map(param => param.name);
    const across = choose(bar, 'across', names, knobs.indexOf(ranked[0][0]));
    const down = choose(bar, 'down', names, knobs.indexOf(ranked[1][0]));
    const kind = choose(bar, 'of the', ['best', 'median'], 0);
    const space = make('div', {class: 'scroll'}, part);
    const show = () => {
      const a = knobs[across.value], b = knobs[down.value], cells = new Map(), failed = new Set();
      for (let i = 0; i < count; i++) {
        if (a.of[i] < 0 || b.of[i] < 0) continue;
        const key = a.of[i] + ',' + b.of[i];
        if (!works(i)) { failed.add(key); continue; }
        if (!cells.has(key)) cells.set(key, []);
        cells.get(key).push(data.value[i]);
      }
      const numbers = new Map();
      for (const [key, values] of cells) {
        const sorted = ascending(values);
        numbers.set(key, kind.value === '1' ? quantile(sorted, 0.5) : data.maximise ? sorted[sorted.length - 1] : sorted[0]);
      }
      const logs = ascending([...numbers.values()].filter(v => v > 0).map(Math.log));
      const low = logs[0], high = quantile(logs, 0.95);
      const rows = Math.min(b.values.length, 60), columns = Math.min(a.values.length, 60);
      const size = Math.max(18, Math.min(64, 760 / columns)), tall = Math.max(18, Math.min(30, 520 / rows)), left = 110;
      space.textContent = '';
      const svg = picture(space, left + columns * size + 10, 40 + rows * tall + 60, 'heat map');
      svg.style.minWidth = Math.min(left + columns * 18, 600) + 'px';
      for (let c = 0; c < columns; c++) {
        const x = left + (c + 0.5) * size, y = 30 + rows * tall + 18;
        const text = draw('text', {class: 'tick', x, y, 'text-anchor': size < 34 ? 'end' : 'middle'}, svg, a.values[c].slice(0, 10));
        if (size < 34) text.setAttribute('transform', `rotate(-45 ${x} ${y})`);
      }
      draw('text', {class: 'axis-title', x: left + columns * size / 2, y: 30 + rows * tall + 50, 'text-anchor': 'middle'}, svg, a.name);
      draw('text', {class: 'axis-title', x: left - 8, y: 18, 'text-anchor': 'end'}, svg, b.name);
      for (let r = 0; r < rows; r++) {
        draw('text', {class: 'tick', x: left - 8, y: 30 + (r + 0.5) * tall + 4, 'text-anchor': 'end'}, svg, b.values[r].slice(0, 14));
        for (let c = 0; c < columns; c++) {
          const key = c + ',' + r, value = numbers.get(key), x = left + c * size, y = 30 + r * tall;
          if (value === undefined && !failed.has(key)) continue;
          const g = draw('g', {class: 'cell'}, svg);
          const worse = value > 0 && high > low ? Math.min(1, Math.max(0, (Math.log(value) - low) / (high - low))) : 0;
          const strength = data.maximise ? worse : 1 - worse;
          draw('rect', {class: value === undefined ? 'none' : 'heat', x: x + 1, y: y + 1, width: size - 2, height: tall - 2, style: value === undefined ? '' : `fill-opacity:${(0.08 + 0.92 * strength).toFixed(2)}`}, g);
          if (value === undefined) draw('text', {class: 'cross', x: x + size / 2, y: y + tall / 2 + 5, 'text-anchor': 'middle'}, g, '×');
          else if (size >= 44) draw('text', {class: strength > 0.55 ? 'inside strong' : 'inside', x: x + size / 2, y: y + tall / 2 + 4, 'text-anchor': 'middle'}, g, short(value));
          tip(g, `${a.name}=${a.values[c]} ${b.name}=${b.values[r]}\n${value === undefined ? 'nothing works' : withUnit(value) + ', ' + cells.get(key).length + ' candidates'}`);
          g.addEventListener('click', () => filterBy(`${a.name}=${a.values[c]} ${b.name}=${b.values[r]}`));
        }
      }
    };
    for (const select of [across, down, kind]) select.onchange = show;
    show();
  };

  /* ---- Failures ---- */
  const failures = () => {
    const broken = [];
    for (let i = 0; i < count; i++) if (!works(i)) broken.push(i);
    if (!broken.length) return;
    const part = section('failing', 'Failures by class and knob', `${broken.length} of ${count} candidates have no time.`);
    const classes = [...new Set(broken.map(outcome))];
    const lift = param => {
      const bad = new Map(), all = new Map();
      for (let i = 0; i < count; i++) all.set(param.of[i], (all.get(param.of[i]) || 0) + 1);
      for (const i of broken) bad.set(param.of[i], (bad.get(param.of[i]) || 0) + 1);
      return Math.max(...[...all].map(([v, n]) => (bad.get(v) || 0) / n)) - Math.min(...[...all].map(([v, n]) => (bad.get(v) || 0) / n));
    };
    const bar = make('p', {class: 'bar'}, part), ranked = [...knobs].sort((a, b) => lift(b) - lift(a));
    if (!ranked.length) return;
    const select = choose(bar, 'by', ranked.map(param => param.name), 0), space = make('div', {class: 'scroll'}, part);
    const show = () => {
      const param = ranked[select.value];
      space.textContent = '';
      const table = make('table', {}, space), head = make('tr', {}, make('thead', {}, table)), body = make('tbody', {}, table);
      make('th', {}, head, param.name);
      make('th', {}, head, 'share that fails');
      for (const name of ['all', ...classes]) make('th', {class: 'n'}, head, name);
      param.values.forEach((value, v) => {
        const here = [];
        for (let i = 0; i < count; i++) if (param.of[i] === v) here.push(i);
        if (!here.length) return;
        const bad = here.filter(i => !works(i)), row = make('tr', {}, body);
        make('td', {}, row, value);
        const share = make('div', {class: 'share'}, make('td', {}, row));
        make('div', {style: `width:${100 * bad.length / here.length}%`}, share);
        make('span', {}, share, Math.round(100 * bad.length / here.length) + ' %');
        make('td', {class: 'n'}, row, here.length);
        for (const name of classes) make('td', {class: 'n'}, row, bad.filter(i => outcome(i) === name).length || '');
      });
    };
    select.onchange = show;
    show();
  };

  /* ---- Where and when ---- */
  const JOINED = -1, LEFT = -2;
  const PHASE_CLASSES = {baseline: 'p-baseline', build: 'p-build', run: 'p-screen', screen: 'p-screen', check: 'p-check', race: 'p-race', confirm: 'p-confirm'};
  const workerLanes = line => {
    const order = line.lanes.map((_, i) => i).sort((a, b) =>
      (line.lanes[a].role === 'build') - (line.lanes[b].role === 'build') || line.lanes[a].name.localeCompare(line.lanes[b].name, undefined, {numeric: true}));
    return order.filter(i => line.lanes[i].jobs || line.lanes[i].losses || line.lanes[i].role === 'run');
  };
  const workers = () => {
    const line = data.timeline, shown = workerLanes(line), end = line.end;
    if (!shown.length || !(end > 0)) return;
    const busy = shown.filter(i => line.lanes[i].role === 'run').map(i => line.lanes[i].busy / end);
    const idle = busy.length ? 1 - busy.reduce((sum, share) => sum + share, 0) / busy.length : 0;
    const part = section('timeline', 'What each worker did', `${line.count} jobs${line.lanes[shown[0]].cells ? ', as parts of the time: the colour is the phase that takes most of a part, its strength how busy the worker is' : ''}. Devices are idle for ${Math.round(100 * Math.max(0, idle))} % of the time.`);
    const step = shown.length <= 12 ? 26 : shown.length <= 40 ? 17 : 12, thick = step - (step > 14 ? 6 : 2);
    const longest = Math.max(...shown.map(i => line.lanes[i].name.length)), left = Math.min(WIDE / 3, 22 + 7 * Math.min(longest, 28));
    const head = 10 + 16 * Math.ceil(640 / WIDE); /* the lines of the legend */
    const height = head + shown.length * step + 44, svg = picture(part, WIDE, height, 'timeline');
    const box = {left, right: WIDE - 20, top: head, bottom: height - 44};
    const fine = s => end < 3 ? (s < 1 && s > 0 ? +(s * 1e3).toPrecision(3) + ' ms' : +s.toPrecision(3) + ' s') : duration(s);
    const {x} = frame(svg, box, [0, end], [0, 1], {yticks: [], xname: fine, xtitle: 'time of work since the start'});
    const rowOf = new Map(shown.map((lane, row) => [lane, row])), top = row => box.top + row * step + (step - thick) / 2;
    const paths = new Map(), put = (name, text) => paths.set(name, (paths.get(name) || '') + text);
    const bar = (name, lane, from, until) => put(name, `M${x(from).toFixed(2)} ${top(rowOf.get(lane))}h${Math.max(0.6, x(until) - x(from)).toFixed(2)}v${thick}h${-Math.max(0.6, x(until) - x(from)).toFixed(2)}z`);
    shown.forEach((lane, row) => {
      const own = line.lanes[lane], text = own.name.length > 28 ? own.name.slice(0, 12) + '…' + own.name.slice(-15) : own.name;
      const name = draw('text', {class: 'tick', x: box.left - 8, y: top(row) + thick / 2 + 4, 'text-anchor': 'end'}, svg, text);
      if (step < 14) name.style.fontSize = '10px';
      tip(name, `${own.name}${own.host ? '\non ' + own.host : ''}\n${own.jobs} jobs, ${own.failures} of them failed, lost ${own.losses} times\nbusy ${Math.round(100 * own.busy / end)} % of the time`);
      draw('line', {class: 'grid', x1: box.left, x2: box.right, y1: top(row) + thick / 2, y2: top(row) + thick / 2}, svg);
      let from = 0;
      (own.cells || []).forEach((cell, i) => {
        if (cell === own.cells[i + 1]) return;
        if (cell) bar(`${PHASE_CLASSES[line.phases[Math.floor(cell / 10)]] || 'p-other'} s${cell % 10 > 6 ? 9 : cell % 10 > 3 ? 6 : 3}`, lane, end * from / own.cells.length, end * (i + 1) / own.cells.length);
        from = i + 1;
      });
    });
    for (const [lane, phase, began, took, became, requeued] of line.jobs) {
      if (!rowOf.has(lane)) continue;
      const at = x(began + took).toFixed(2), y = top(rowOf.get(lane));
      if (phase === JOINED) put('joined', `M${at} ${y - 2}v${thick + 4}`);
      else if (phase === LEFT) put('left', `M${at} ${y - 2}v${thick + 4}`);
      else if (!line.lanes[lane].cells) bar((PHASE_CLASSES[line.phases[phase]] || 'p-other') + ' s9', lane, began, began + took);
      if (phase >= 0 && requeued) put('requeued', `M${at - 3} ${y}l3 ${thick}l3 ${-thick}z`);
      else if (phase >= 0 && became && !['ok', 'slow'].includes(became)) put('unlucky', `M${at} ${y + thick / 2}h0`);
    }
    const last = name => ['unlucky', 'joined', 'requeued', 'left'].indexOf(name);
    for (const name of [...paths.keys()].sort((a, b) => last(a) - last(b))) draw('path', {class: name, d: paths.get(name)}, svg);
    const words = {'p-baseline': 'baseline', 'p-build': 'build', 'p-screen': data.is_search ? 'screen' : 'run', 'p-check': 'check', 'p-race': 'race', 'p-confirm': 'confirm', 'p-other': 'other', joined: 'joined', left: 'lost or not used any more', requeued: 'given to another worker', unlucky: 'failed'};
    const used = new Set([...paths.keys()].map(name => name.split(' ')[0]));
    let at = 0, y = 5;
    for (const name in words) {
      if (!used.has(name)) continue;
      const isMark = !name.startsWith('p-'), width = 17 + words[name].length * 6.6;
      if (at && at + width > WIDE) [at, y] = [0, y + 16];
      draw('path', {class: isMark ? name : name + ' s9', d: name === 'unlucky' ? `M${at + 6} ${y + 5}h0` : isMark && name !== 'requeued' ? `M${at + 6} ${y - 1}v12` : name === 'requeued' ? `M${at + 3} ${y}l3 10l3 -10z` : `M${at} ${y}h12v10h-12z`}, svg);
      draw('text', {class: 'tick', x: at + 17, y: y + 9}, svg, words[name]);
      at += width + 16;
    }
    const note = make('p', {class: 'note', id: 'job'}, part, line.lanes[shown[0]].cells ? '' : 'Point at a job to see what it was.');
    svg.onmousemove = event => {
      const place = svg.getBoundingClientRect(), scale = WIDE / place.width;
      const s = ((event.clientX - place.left) * scale - box.left) / (box.right - box.left) * end;
      const lane = shown[Math.floor(((event.clientY - place.top) * scale - box.top) / step)], slack = end / (box.right - box.left) * 2;
      if (lane === undefined || s < 0) return;
      const hit = line.jobs.filter(job => job[0] === lane && s >= job[2] - slack && s <= job[2] + job[3] + slack).sort((a, b) => (a[1] < 0) - (b[1] < 0) || Math.abs(a[2] + a[3] / 2 - s) - Math.abs(b[2] + b[3] / 2 - s))[0];
      const own = line.lanes[lane], where = own.name + (own.host && !own.name.includes(own.host) ? ' on ' + own.host : '');
      if (!hit) { note.textContent = where; return; }
      const what = hit[1] === JOINED ? 'joined' : hit[1] === LEFT ? 'was lost, or is not used any more' : `${line.phases[hit[1]] || 'job'}${hit[6] ? ' of candidate ' + hit[6] : ''}: ${hit[4]}${hit[5] ? ', given to another worker' : ''}, ${short(hit[3])} s`;
      note.textContent = `${where}: ${what}, at ${short(hit[2])} s`;
    };
  };
  const timeline = () => {
    if (data.timeline) { workers(); return; }
    const timed = data.made.map((at, i) => i).filter(i => data.made[i] !== null);
    const end = Math.max(...timed.map(i => data.made[i]));
    if (!timed.length || end < 3) return;
    const part = section('timeline', 'When results came, device by device', 'Each tick is a result; failures are red. Gaps are builds, the race and the confirmation.');
    const lanes = data.devices, height = 40 + lanes.length * 30 + 40, svg = picture(part, WIDE, height, 'timeline');
    const box = {left: 120, right: WIDE - 20, top: 20, bottom: height - 44};
    const {x} = frame(svg, box, [0, end], [0, 1], {yticks: [], xname: duration, xtitle: 'time since the start'});
    lanes.forEach((device, lane) => {
      const y = box.top + lane * 30 + 4;
      draw('text', {class: 'tick', x: box.left - 8, y: y + 15, 'text-anchor': 'end'}, svg, device || 'builds');
      for (const isGood of [true, false]) {
        let path = '', last = -9;
        for (const i of timed) {
          if (data.device[i] !== lane || works(i) !== isGood) continue;
          const at = x(data.made[i]);
          if (at - last >= 0.5 || at < last) path += `M${at.toFixed(1)} ${y}v20`;
          last = at;
        }
        if (path) draw('path', {class: isGood ? 'tickmark' : 'tickmark wrong', d: path}, svg);
      }
    });
  };

  /* ---- Work and traffic ---- */
  const roofline = () => {
    const of = pattern => data.metrics.filter(metric => pattern.test(metric.name));
    const find = pattern => of(pattern).find(metric => !/^counted/.test(metric.name)) || of(pattern)[0];
    const work = find(/flop/i), traffic = find(/\bG?B(ytes)?\/s/i);
    if (!work || !traffic) return;
    const points = measured.filter(i => work.of[i] > 0 && traffic.of[i] > 0);
    if (points.length < 2) return;
    const part = section('roofline', 'Work and traffic', `Each dot is a candidate: ${work.name} over the work per byte (${work.name} by ${traffic.name}). The lines are the most of each that was seen here, not the machine's limits.`);
    const xs = points.map(i => work.of[i] / traffic.of[i]), top = Math.max(...points.map(i => work.of[i])), flow = Math.max(...points.map(i => traffic.of[i]));
    const low = Math.min(...points.map(i => work.of[i])), svg = picture(part, WIDE, 320, 'roofline');
    const {x, y} = frame(svg, {left: 76, right: WIDE - 20, top: 28, bottom: 268}, [Math.min(...xs, low / flow), Math.max(...xs, top / flow) * 1.3], [low * 0.8, top * 1.15], {log: true, logx: true, yticks: decades, xticks: decades.filter(at => at > Math.min(...xs, low / flow) && at < Math.max(...xs, top / flow) * 1.3), xtitle: 'work per byte', ytitle: work.name});
    let path = '';
    points.forEach((i, k) => { path += `M${x(xs[k]).toFixed(1)} ${y(work.of[i]).toFixed(1)}h0`; });
    draw('line', {class: 'base', x1: x(top / flow), x2: WIDE - 20, y1: y(top), y2: y(top)}, svg);
    const ridge = [low / flow, top / flow];
    draw('path', {class: 'roof', d: `M${x(ridge[0])} ${y(low)}L${x(ridge[1])} ${y(top)}`}, svg);
    draw('path', {class: 'others strong', d: path}, svg);
  };

  /* ---- The table ---- */
  const ROW = 28, fields = [{name: '#', of: i => data.number[i], isNumber: true},
    ...knobs.map(param => ({name: param.name, of: i => valueOf(param, i), sort: i => param.of[i], isNumber: param.values.every(v => v !== '' && !isNaN(v))})),
    {name: 'outcome', of: outcome}, {name: data.metric, of: i => data.value[i], text: i => works(i) ? short(data.value[i]) : '', isNumber: true},
    {name: 'speedup', of: i => data.speedup[i], text: i => data.speedup[i] === null ? '' : data.speedup[i].toFixed(2) + 'x', isNumber: true},
    {name: 'interval', of: i => data.low[i], text: i => data.low[i] === null || data.high[i] === null ? '' : `${data.low[i].toFixed(2)} to ${data.high[i].toFixed(2)}`, isNumber: true},
    {name: 'mark', of: marks}, {name: 'compile', of: i => data.compile[i], text: i => data.compile[i] === null ? '' : data.compile[i].toFixed(2) + ' s', isNumber: true},
    ...data.metrics.map(metric => ({name: metric.name, of: i => metric.of[i], text: i => metric.of[i] === null ? '' : short(metric.of[i]), isNumber: true}))]
    .filter(field => !['speedup', 'interval', 'compile', 'mark'].includes(field.name) || measured.some(i => field.of(i)));
  const rank = i => works(i) ? (data.marks[i] & BEST ? 0 : {confirmed: 1, measured: 1, screening: 2, slow: 3}[outcome(i)]) : 4;
  const standing = (a, b) => rank(a) - rank(b) || (rank(a) === 1 && data.speedup[a] !== null ? data.speedup[b] - data.speedup[a] : 0) ||
    (works(a) ? (data.value[a] - data.value[b]) * (data.maximise ? -1 : 1) : 0) || a - b;
  let order = Array.from({length: count}, (_, i) => i).sort(standing), shown = order, sorted = -1, isDown = false;
  let filterInput, redraw = () => {};
  const test = word => {
    const found = /^([^=<>!~]+?)(>=|<=|!=|=|<|>|~)(.*)$/.exec(word);
    const field = found && fields.find(entry => entry.name.toLowerCase() === found[1].toLowerCase() ||
      (entry.name === data.metric && ['time', 'value'].includes(found[1].toLowerCase())));
    if (!field) { const text = word.toLowerCase(); return i => fields.some(entry => String(entry.of(i)).toLowerCase().includes(text)); }
    const [, , sign, wanted] = found;
    return i => {
      const own = field.of(i), x = parseFloat(own), y = parseFloat(wanted), areNumbers = !isNaN(x) && !isNaN(wanted) && wanted !== '';
      switch (sign) {
      case '=': return areNumbers ? x === y : String(own ?? '') === wanted;
      case '!=': return areNumbers ? x !== y : String(own ?? '') !== wanted;
      case '~': return String(own ?? '').toLowerCase().includes(wanted.toLowerCase());
      case '<': return own !== null && x < y;
      case '>': return own !== null && x > y;
      case '<=': return own !== null && x <= y;
      default: return own !== null && x >= y;
      }
    };
  };
  const filterBy = text => {
    filterInput.value = text;
    filterInput.dispatchEvent(new Event('input'));
    document.getElementById('candidates').scrollIntoView({behavior: 'smooth'});
  };
  const tableSection = () => {
    const part = section('candidates', 'All candidates');
    const bar = make('p', {class: 'bar'}, part);
    filterInput = make('input', {type: 'search', placeholder: `filter: ${knobs.length ? knobs[0].name + '=' + knobs[0].values[0] : 'text'} speedup>1 outcome=confirmed`, 'aria-label': 'filter', size: 44}, bar);
    const note = make('span', {class: 'note', id: 'shown'}, bar);
    const view = make('div', {class: 'view'}, part), table = make('table', {}, view), head = make('tr', {}, make('thead', {}, table));
    const above = make('tbody', {}, table), body = make('tbody', {}, table), below = make('tbody', {}, table);
    const spaceAbove = make('td', {colspan: fields.length}, make('tr', {class: 'space'}, above));
    const spaceBelow = make('td', {colspan: fields.length}, make('tr', {class: 'space'}, below));
    const heads = fields.map(field => make('th', field.isNumber ? {class: 'n'} : {}, head, field.name));
    redraw = () => {
      const first = Math.max(0, Math.floor(view.scrollTop / ROW) - 10), last = Math.min(shown.length, first + Math.ceil(view.clientHeight / ROW) + 24);
      spaceAbove.style.height = first * ROW + 'px';
      spaceBelow.style.height = (shown.length - last) * ROW + 'px';
      body.textContent = '';
      for (let k = first; k < last; k++) {
        const i = shown[k], row = make('tr', {class: data.marks[i] & BEST ? 'best' : data.marks[i] & TIED ? 'tied' : works(i) ? '' : 'failed'}, body);
        for (const field of fields) make('td', field.isNumber ? {class: 'n'} : {}, row, field.text ? field.text(i) : field.of(i));
      }
    };
    const refilter = () => {
      const tests = (filterInput.value.match(/\S+/g) || []).map(test);
      shown = tests.length ? order.filter(i => tests.every(check => check(i))) : order;
      note.textContent = ` ${shown.length} of ${count}`;
      view.scrollTop = 0;
      redraw();
    };
    heads.forEach((cell, f) => sortable(cell, () => {
      isDown = sorted === f && !isDown;
      sorted = f;
      const key = fields[f].sort || fields[f].of, sign = isDown ? -1 : 1;
      const keys = Array.from({length: count}, (_, i) => key(i));
      const none = v => v === null || v === '' || v === undefined;
      order = [...order].sort((a, b) => {
        const x = keys[a], y = keys[b];
        if (none(x) !== none(y)) return none(x) ? 1 : -1;
        if (none(x) || x === y) return a - b;
        return (typeof x === 'number' ? x - y : compareText(String(x), String(y))) * sign;
      });
      heads.forEach(other => other.removeAttribute('aria-sort'));
      cell.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
      refilter();
    }));
    filterInput.oninput = refilter;
    view.onscroll = redraw;
    refilter();
  };

  if (pairs.length) pairPicture();
  if (pairs.length) distributions();
  if (data.is_search && measured.length > 1) progress();
  const ranked = knobs.length && measured.length > 1 ? knobSection() : [];
  if (ranked.length > 1) heatMap(ranked);
  failures();
  timeline();
  roofline();
  tableSection();
};
start();

/* ---- What was chosen stays when all is drawn anew ---- */
const kept = () => [...document.querySelectorAll('#explore select, #explore input')].map(field => [field.getAttribute('aria-label'), field.value]);
const restore = fields => {
  const now = [...document.querySelectorAll('#explore select, #explore input')];
  for (const [name, value] of fields) {
    const field = now.find(other => other.getAttribute('aria-label') === name);
    if (!field || field.value === value) continue;
    field.value = value;
    field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input'));
  }
};
let drawnWidth = window.innerWidth, resting = 0;
window.addEventListener('resize', () => {
  clearTimeout(resting);
  resting = setTimeout(() => {
    if (window.innerWidth === drawnWidth) return;
    drawnWidth = window.innerWidth;
    const fields = kept();
    start();
    restore(fields);
  }, 150);
});

/* ---- A page that follows its run ---- */
if (document.body.dataset.live) {
  let isBusy = false, isStale = false, isEnded = false, timer = 0, words = '', fields = [];
  const badge = document.createElement('p');
  badge.className = 'badge';
  const say = text => {
    badge.textContent = text;
    document.body.append(badge);
  };
  const swap = page => {
    const at = window.scrollY;
    if (kept().length) fields = kept(); /* a run that has only begun has none to choose */
    document.title = page.title;
    for (const style of document.head.querySelectorAll('style')) style.remove();
    document.head.append(...page.head.querySelectorAll('style'));
    document.body.removeAttribute('style');
    document.body.replaceChildren(...page.body.childNodes);
    start();
    restore(fields);
    window.scrollTo(0, at);
  };
  const rested = () => {
    clearTimeout(timer);
    timer = 0;
    isBusy = false;
    if (isStale) refresh();
  };
  const refresh = async () => {
    if (isBusy) { isStale = true; return; }
    isBusy = true;
    isStale = false;
    const begun = performance.now();
    try {
      const answer = await fetch(location.href, {cache: 'no-store'});
      if (answer.ok) swap(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    } catch (error) { /* the server is gone, as the badge says */ }
    say(badge.textContent);
    timer = setTimeout(rested, isEnded ? 0 : Math.max(1000, 4 * (performance.now() - begun)));
  };
  const events = new EventSource('events' + location.search);
  let seen = '';
  events.onmessage = event => {
    const state = JSON.parse(event.data);
    isEnded = state.run > 0 && state.state !== 'running';
    words = state.run ? `run ${state.run}, ${state.state}, ${state.evaluations} evaluations` : 'waiting for a run';
    say('live: ' + words);
    if (seen !== event.data) refresh();
    seen = event.data;
    if (isEnded && timer) rested(); /* the server waits a moment for those who want the end */
  };
  events.onerror = () => {
    say(isEnded ? words : 'not connected: this is the last state');
    if (isEnded) events.close();
  };
}
