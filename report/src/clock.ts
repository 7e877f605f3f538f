// The time that everything on the page shows.

type Listener = (t: number) => void;

export class Clock {
    t: number;
    playing = false;
    /// Seconds of simulated time per second.
    speed = 1;
    private listeners: Listener[] = [];
    private last = 0;

    constructor(readonly start: number, readonly end: number) {
        this.t = start;
        this.speed = (end - start) / 8 || 1;
    }

    watch(f: Listener): void {
        this.listeners.push(f);
        f(this.t);
    }

    set(t: number): void {
        this.t = Math.min(Math.max(t, this.start), this.end);
        for (const f of this.listeners) f(this.t);
    }

    toggle(): void {
        this.playing = !this.playing;
        if (this.playing && this.t >= this.end) this.t = this.start;
        this.last = performance.now();
        if (this.playing) requestAnimationFrame((now) => this.tick(now));
        this.set(this.t);
    }

    private tick(now: number): void {
        if (!this.playing) return;
        const dt = Math.max(0, now - this.last) / 1000;
        this.last = now;
        if (this.t + dt * this.speed >= this.end) this.playing = false;
        this.set(this.t + dt * this.speed);
        if (this.playing) requestAnimationFrame((n) => this.tick(n));
    }
}

/// Index of the last entry that is not after t.
export function indexAt(times: ArrayLike<number>, t: number): number {
    let low = 0, high = times.length - 1;
    const slack = 1e-9 * (Math.abs(t) + 1e-300);
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (times[middle] <= t + slack) low = middle;
        else high = middle - 1;
    }
    return low;
}
