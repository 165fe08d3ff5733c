/* The viewer of thud (Apache-2.0). It contains three.js, Copyright 2010-2026 three.js authors, and uPlot, Copyright 2022
Leon Sorokin, both under the MIT licence: Permission is hereby granted, free of charge, to any person obtaining a copy of this
software and associated documentation files (the "Software"), to deal in the Software without restriction, including without
limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to
permit persons to whom the Software is furnished to do so, subject to the following conditions: The above copyright notice and
this permission notice shall be included in all copies or substantial portions of the Software. THE SOFTWARE IS PROVIDED "AS IS",
WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A
PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR
OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR
THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
(()=>{var Vl=new Map;function Sm(){let i=JSON.parse(document.getElementById("thud-page").textContent);if(i.format!=="thud-page"||i.version!==1)throw new Error(`this viewer reads thud-page 1, not ${i.format} ${i.version}`);return i}async function on(i){if(i==null)return new Float64Array(0);if(Array.isArray(i))return Float64Array.from(i,n=>n===null?NaN:n);let t=await Ey(i.b);if(i.t==="q")return Wl(t,i);if(i.t==="f64s")return Ry(t,i.o,i.n);let e={f64:Float64Array,f32:Float32Array,i32:Int32Array,u32:Uint32Array,u8:Uint8Array};if(!e[i.t])throw new Error(`numbers of type ${i.t} are unknown`);return new e[i.t](t.buffer,t.byteOffset+i.o,i.n)}function wm(i){Vl.delete(i)}function Ey(i){return Vl.has(i)||Vl.set(i,Cy(i)),Vl.get(i)}async function Cy(i){let t=document.getElementById(`thud-block-${i}`);if(!t)throw new Error(`block ${i} of the page is missing`);let e=Hl(t.textContent.trim()),n=new Blob([e]).stream().pipeThrough(new DecompressionStream("deflate-raw"));return new Uint8Array(await new Response(n).arrayBuffer())}function Hl(i){if(typeof Uint8Array.fromBase64=="function")return Uint8Array.fromBase64(i);let t=new Uint8Array(128),e="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";for(let r=0;r<64;r++)t[e.charCodeAt(r)]=r;let n=i.length;for(;n>0&&i.charCodeAt(n-1)===61;)n--;let s=new Uint8Array(Math.floor(n*3/4));for(let r=0,o=0;r<n;r+=4,o+=3){let a=t[i.charCodeAt(r)]<<18|t[i.charCodeAt(r+1)]<<12|(r+2<n?t[i.charCodeAt(r+2)]:0)<<6|(r+3<n?t[i.charCodeAt(r+3)]:0);s[o]=a>>16,s[o+1]=a>>8,s[o+2]=a}return s}function Ry(i,t,e){let n=new Uint8Array(8*e);for(let s=0;s<8;s++)for(let r=0,o=t+s*e;r<e;r++)n[8*r+s]=i[o+r];return new Float64Array(n.buffer)}function Wl(i,t){let{rows:e,cols:n,planes:s,order:r}=t,o=t.o,a=e*n,l=Array.isArray(t.step)?t.step:[t.step],c=Array.isArray(t.low)?t.low:[t.low],h=new Int32Array(n),u=new Int32Array(n),f=new Float32Array(a);for(let d=0,p=0;d<e;d++)for(let x=0;x<n;x++,p++){let m=0;for(let b=0;b<s;b++)m|=i[o+b*a+p]<<8*b;let g=m>>>1^-(m&1);r===2&&d>1?(u[x]+=g,g=h[x]+u[x]):r>0&&d>0&&(u[x]=g,g+=h[x]),h[x]=g,f[p]=c[x%c.length]+l[x%l.length]*g}return f}var Xl=[.125,.25,.5,1,2,4,8],_r=class{constructor(t){let e=.001*(Math.abs(t[0])||1);this.span=t[1]>t[0]?[t[0],t[1]]:[t[0],t[0]+e],this.t=this.span[0],this.playing=!1,this.opened=!1,this.loop=!1,this.speed=1,this.base=Py(this.span[1]-this.span[0]),this.listeners=new Set}subscribe(t){return this.listeners.add(t),()=>this.listeners.delete(t)}tell(t){for(let e of this.listeners)e(this,t)}seek(t){let e=Math.min(this.span[1],Math.max(this.span[0],t));this.opened=!1,e!==this.t&&(this.t=e,this.tell("time"))}open(t){this.seek(t),this.opened=!0}play(){this.playing||((this.opened||this.t>=this.span[1])&&this.seek(this.span[0]),this.playing=!0,this.tell("playing"))}pause(){this.playing&&(this.playing=!1,this.tell("playing"))}toggle(){this.playing?this.pause():this.play()}setLoop(t){this.loop=t,this.tell("loop")}setSpeed(t){this.speed=t,this.tell("speed")}shiftSpeed(t){let e=Xl.indexOf(this.speed),n=Xl[Math.min(Xl.length-1,Math.max(0,(e<0?3:e)+t))];this.setSpeed(n)}rate(){return this.base*this.speed}advance(t){if(!this.playing)return;let e=this.t+t*this.rate();e<this.span[1]?this.seek(e):this.loop?this.seek(this.span[0]):(this.seek(this.span[1]),this.pause())}};_r.SPEEDS=Xl;function Py(i){if(i>=2&&i<=60)return 1;let t=i/10,e=10**Math.floor(Math.log10(t));for(let n of[1,2,5])if(n*e>=t/1.5)return n*e;return 10*e}function I(i,t={},...e){return Am(document.createElement(i),t,e)}function De(i,t={},...e){return Am(document.createElementNS("http://www.w3.org/2000/svg",i),t,e)}function Am(i,t,e){for(let[n,s]of Object.entries(t))s==null||s===!1||(n.startsWith("on")&&typeof s=="function"?i.addEventListener(n.slice(2),s):i.setAttribute(n,s===!0?"":String(s)));for(let n of e.flat(1/0))n!=null&&n!==!1&&i.append(n instanceof Node?n:document.createTextNode(String(n)));return i}var Tm=0;function ql(i){return Tm+=1,`${i}-${Tm}`}var Iy={dark:!1,ink:"#1d2329",paper:"#ffffff",muted:"#69737d",faint:"#e6e9ec",event:"#b9a27c",accent:"#0b5e8f",palette:["#0072b2","#d55e00","#009e73","#c0609a","#d08f00","#3fa0d8","#1d2329","#b8a800","#332288","#882255","#556b2f","#8b0000"],bodies:["#0072b2","#d55e00","#009e73","#cc79a7","#e69f00","#56b4e9"],paints:{body:"#005c99",obstacle:"#737373",force:"#b80a1f",velocity:"#008561",set:"#875ca8",trace:"#579ed4",stick:"#0073b3",slip:"#d65e00",guide:"#8c8c8c",normal:"#cc78a6",field:"#cc8500"}},Ly={dark:!0,ink:"#e6e9ec",paper:"#15191d",muted:"#98a2ab",faint:"#2a3137",event:"#8a7550",accent:"#6cb8e6",palette:["#4aa3df","#f28544","#2fc49a","#e08fc0","#f0b840","#8fd0f5","#e6e9ec","#f0e442","#a99cf0","#e07aa8","#a8c070","#ff8a80"],bodies:["#4aa3df","#f28544","#2fc49a","#e08fc0","#f0b840","#8fd0f5"],paints:{body:"#7fb0dd",obstacle:"#8d959d",force:"#ff6b78",velocity:"#2fc49a",set:"#f0b840",trace:"#6d7780",stick:"#4aa3df",slip:"#f28544",guide:"#69737c",normal:"#c09ae0",field:"#5cc4ce"}},yf=new Set,Em=window.matchMedia("(prefers-color-scheme: dark)"),Cm=null,Rm=!1,Fe=()=>!Rm&&(Cm??(Em.matches?"dark":"light"))==="dark"?Ly:Iy;function ui(i){return yf.add(i),()=>yf.delete(i)}function Yl(){document.documentElement.dataset.theme=Fe().dark?"dark":"light";for(let i of yf)i(Fe())}function $l(){Cm=Fe().dark?"light":"dark",Yl()}function Pm(){let i=t=>{Rm=t,Yl()};Em.addEventListener("change",Yl),window.addEventListener("beforeprint",()=>i(!0)),window.addEventListener("afterprint",()=>i(!1)),Yl()}var Im={light:["#440154","#46327e","#365c8d","#277f8e","#1fa187","#4ac16d","#a0da39","#fde725"],dark:["#5c4fa3","#4a70bb","#3b92b5","#30b0a0","#52c878","#a4dd45","#fdec4a"]},Lm={light:["#c9d3dc","#e8cf9c","#f4a85a","#ea6a35","#c32a2f","#7a0f3c"],dark:["#39434d","#5b3f63","#a03a5e","#dd5b42","#f6a03a","#fdf0a8"]},mn=i=>[1,3,5].map(t=>parseInt(i.slice(t,t+2),16)/255),an=i=>`rgb(${i.map(t=>Math.round(255*t)).join(" ")})`,Ri=(i,t,e)=>i.map((n,s)=>n+e*(t[s]-n)),Jl=i=>Nm(i?Im.dark:Im.light);function Nm(i){let t=i.map(mn);return Array.from({length:64},(e,n)=>{let s=n/63*(t.length-1),r=Math.min(t.length-2,Math.floor(s));return Ri(t[r],t[r+1],s-r)})}var Um=[{name:"body",label:"body"},{name:"speed",label:"speed"},{name:"force",label:"contact force"},{name:"residual",label:"worst contact"}],Zl=class{constructor(t,e,n,s){Object.assign(this,{bodies:t,contacts:e,worst:n,timeUnit:s}),this.rgb=new Float32Array(3*t.count),this.load=new Float32Array(t.count),this.key=null,this.version=0,this.bar=null,this.top=0}setTheme(t){this.theme=t,this.ink=mn(t.ink),this.paper=mn(t.paper),this.palette=t.bodies.map(e=>Ri(mn(e),t.dark?this.paper:[1,1,1],t.dark?.1:.25)),this.fixed=t.dark?[.42,.45,.48]:[.9,.9,.9],this.driven=t.dark?[.54,.57,.6]:[.7,.7,.7],this.neutral=t.dark?[.36,.4,.44]:[.8,.83,.86],this.speedRamp=Jl(t.dark),this.heatRamp=Nm(t.dark?Lm.dark:Lm.light),this.key=null}update(t){let{bodies:e}=this;t==="speed"&&this.growTop(e.chunks.speedQuantile(.97));let n=t==="speed"?`${e.frame} ${e.chunks.version}`:t==="body"?"":e.nearest,s=`${t} ${n} ${this.contacts.ready} ${this.top}`;return s===this.key?!1:(this.key=s,this.version+=1,this.bar=null,this.paint(t),!0)}paint(t){t==="body"?this.byBody():(this.plain(),t==="speed"?this.bySpeed():t==="force"?this.byForce():this.byResidual())}growTop(t){let e=Dm(t);e>this.top&&(this.top=e)}put(t,e){let{rgb:n}=this;n[3*t]=e[0],n[3*t+1]=e[1],n[3*t+2]=e[2]}byBody(){let t=this.bodies.count<13;for(let e=0;e<this.bodies.count;e++){let n=t?e:Math.imul(e,2654435769)>>>16;this.put(e,this.standing(e)??this.palette[n%this.palette.length])}}standing(t){let e=this.bodies.roles[t];return e===1?this.fixed:e===2?this.driven:null}plain(){for(let t=0;t<this.bodies.count;t++)this.put(t,this.standing(t)??this.neutral)}level(t,e){return t[Math.max(0,Math.min(63,Math.round(e*63)))]}bySpeed(){let{source:t}=this.bodies,e=this.top>0?1/this.top:0;this.bodies.eachSpeed((s,r)=>{this.bodies.roles[s]===0&&this.put(s,this.level(this.speedRamp,r*e))});let n=`${t.length_unit??"m"}/${this.timeUnit}`;this.bar={label:"speed",unit:n,low:0,high:this.top||1,more:!0,colours:this.speedRamp}}byForce(){if(!this.contacts.ready)return;this.contacts.loads(this.bodies.nearest,this.load);let t=Dm(this.contacts.typicalLoad)||1;for(let n=0;n<this.bodies.count;n++)this.bodies.roles[n]===0&&this.put(n,this.level(this.heatRamp,this.load[n]/t));let e=this.bodies.source.force_unit??"N";this.bar={label:"contact forces",unit:e,low:0,high:t,more:!0,colours:this.heatRamp}}byResidual(){let t=this.worst?.(this.bodies.nearest);if(!t||!(t.residual>0))return;let{low:e,high:n}=t,s=n>e?Math.log(t.residual/e)/Math.log(n/e):1,r=this.level(this.heatRamp,.25+.75*s);for(let a of[t.a,t.b])a>=0&&this.put(a,r);let o=this.heatRamp.slice(Math.round(.25*63));this.bar={label:"residual of the worst contact",unit:"",low:e,high:n,log:!0,colours:o}}};function Dm(i){if(!(i>0))return 0;let t=10**Math.floor(Math.log10(i)+1e-9);for(let e of[1,1.5,2,3,5,7])if(e*t>=i*(1-1e-9))return e*t;return 10*t}function Qr(i){let t=10**Math.floor(Math.log10(i));return t*(i/t>=5?5:i/t>=2?2:1)}var ge=(i,t)=>i[0]*t[0]+i[1]*t[1]+i[2]*t[2],ln=(i,t)=>[i[0]-t[0],i[1]-t[1],i[2]-t[2]],nn=(i,t,e=1)=>[i[0]+e*t[0],i[1]+e*t[1],i[2]+e*t[2]],ni=(i,t)=>[i[1]*t[2]-i[2]*t[1],i[2]*t[0]-i[0]*t[2],i[0]*t[1]-i[1]*t[0]],Ln=i=>{let t=Math.hypot(i[0],i[1],i[2]);return t>0?[i[0]/t,i[1]/t,i[2]/t]:[0,0,0]};function Dn([i,t,e,n],s){let r=2*(e*s[2]-n*s[1]),o=2*(n*s[0]-t*s[2]),a=2*(t*s[1]-e*s[0]);return[s[0]+i*r+e*a-n*o,s[1]+i*o+n*r-t*a,s[2]+i*a+t*o-e*r]}var bf=([i,t,e,n],s)=>Dn([i,-t,-e,-n],s);function Mf(i,t,e){let n=Dn(i.subarray(t+3,t+7),e);return[i[t]+n[0],i[t+1]+n[1],i[t+2]+n[2]]}function Ss(i,t){let e=i.partPose.subarray(7*t,7*t+7),n=7*i.partBody[t],s=Mf(i.pose,n,e),[r,o,a,l]=i.pose.subarray(n+3,n+7),[c,h,u,f]=e.subarray(3);return[...s,r*c-o*h-a*u-l*f,r*h+o*c+a*f-l*u,r*u-o*f+a*c+l*h,r*f+o*u-a*h+l*c]}var Fm=17,Dy=new Set(["slider","cylindrical","screw"]);function Ny(i,t){return(i.switches??[]).filter(n=>n<=t).length%2===1==!!i.absent}function Kl(i,t){let e={rings:[],axes:[],lines:[]};for(let n of i.joints)Ny(n,t)&&Uy(i,n,e);return e}function Uy(i,t,{rings:e,axes:n,lines:s}){let r=_a(i,t.a,t.point_a),o=_a(i,t.b,t.point_b);t.kind==="rod"&&s.push([r,o]),t.kind==="pulley"&&s.push([r,t.over_a,t.over_b,o]),t.kind==="rope"&&s.push(Fy(r,o,t.length,i.up)),(t.kind==="rod"||t.kind==="pulley"||t.kind==="rope")&&e.push(r);let a=Dy.has(t.kind);if(e.push(a?r:o),!t.axis)return;let l=Dn(i.pose.subarray(7*t.a+3,7*t.a+7),t.axis);n.push({at:a?r:o,along:l,long:a})}function Fy(i,t,e,n){let s=t.map((o,a)=>o-i[a]),r=.5*Math.sqrt(Math.max(0,e*e-s.reduce((o,a)=>o+a*a,0)));return Array.from({length:Fm},(o,a)=>{let l=a/(Fm-1);return i.map((c,h)=>c+l*s[h]-4*l*(1-l)*r*n[h])})}function _a(i,t,e){let n=[e[0],e[1],e[2]??0];return t>=0?Array.from(Mf(i.pose,7*t,n)):n}function jl(i,t){return i.springs.forEach((e,n)=>{t.set(_a(i,e.a,e.point_a),6*n),t.set(_a(i,e.b,e.point_b),6*n+3)}),t}var Ql=3.5,Sf=10,Om=8,Oy=5,to=class{constructor(t){this.canvas=t,this.pen=t.getContext("2d",{alpha:!1}),this.ratio=1}resize(t,e){this.ratio=Math.min(window.devicePixelRatio||1,2),this.size=[t,e],this.canvas.width=Math.max(1,Math.round(t*this.ratio)),this.canvas.height=Math.max(1,Math.round(e*this.ratio))}setTheme(t){this.theme=t,this.hatches=new Map}clear(){let{pen:t}=this;t.setTransform(this.ratio,0,0,this.ratio,0,0),t.globalAlpha=1,t.fillStyle=this.theme.paper,t.fillRect(0,0,this.size[0],this.size[1]),t.lineJoin="round",t.lineCap="round"}hatch(t){let e=an(t);return this.hatches.has(e)||this.hatches.set(e,this.makeHatch(t)),this.hatches.get(e)}makeHatch(t){let e=Math.round(8*this.ratio),n=document.createElement("canvas");n.width=e,n.height=e;let s=n.getContext("2d");s.fillStyle=an(t),s.fillRect(0,0,e,e),s.strokeStyle=an(Ri(t,mn(this.theme.ink),.22)),s.lineWidth=this.ratio;for(let o=-1;o<=1;o++)s.moveTo(o*e-2,e+2),s.lineTo(o*e+e+2,-2);s.stroke();let r=this.pen.createPattern(n,"repeat");return r.setTransform(new DOMMatrix([1/this.ratio,0,0,1/this.ratio,0,0])),r}arrows(t,e){let{pen:n}=this;n.beginPath();for(let s=0;s<t;s++){let[r,o,a,l]=e.subarray(4*s,4*s+4),c=Math.hypot(a-r,l-o);if(!(c>.5))continue;let h=Math.min(8,.4*c)/c,[u,f]=[(a-r)*h,(l-o)*h];n.moveTo(r,o),n.lineTo(a,l),n.moveTo(a-u-.5*f,l-f+.5*u),n.lineTo(a,l),n.lineTo(a-u+.5*f,l-f-.5*u)}n.strokeStyle=this.theme.paints.force,n.lineWidth=t>3e3?1:1.8,n.stroke()}hardware(t,e,n,s){let{pen:r}=this,o=jl(t,new Float32Array(6*t.springs.length)),{rings:a,axes:l,lines:c}=Kl(t,e);r.lineWidth=1.4,r.strokeStyle=this.theme.muted,this.strokes(Array.from({length:t.springs.length},(h,u)=>wf([...s(o.subarray(6*u,6*u+3)),0],[...s(o.subarray(6*u+3,6*u+6)),0],[1,0,0],[0,1,0],Oy))),r.strokeStyle=this.theme.ink,this.strokes([...c.map(h=>h.map(s)),...l.map(({at:h,along:u,long:f})=>{let d=(f?2:1)*Sf/n;return[-d,d].map(p=>s(h.map((x,m)=>x+p*u[m])))})]),this.rings(a.map(s))}strokes(t){let{pen:e}=this;e.beginPath();for(let n of t)n.forEach(([s,r],o)=>o===0?e.moveTo(s,r):e.lineTo(s,r));e.stroke()}rings(t){let{pen:e}=this;e.beginPath();for(let[n,s]of t)e.moveTo(n+Ql,s),e.arc(n,s,Ql,0,2*Math.PI);e.fillStyle=this.theme.paper,e.fill(),e.stroke()}};function wf(i,t,e,n,s){let r=(f,d)=>f[0]*d[0]+f[1]*d[1]+f[2]*d[2],o=[t[0]-i[0],t[1]-i[1],t[2]-i[2]],[a,l]=[r(o,e),r(o,n)],c=Math.hypot(a,l)||1,h=e.map((f,d)=>(-l*f+a*n[d])/c*s),u=[Array.from(i)];for(let f=0;f<Om;f++){let d=.15+.7*(f+.5)/Om,p=f%2===0?1:-1;u.push(o.map((x,m)=>i[m]+d*x+p*h[m]))}return u.push(Array.from(t)),u}var By={sphere:{ball:({radius:i})=>[i,i,i]},ellipsoid:{ball:({half:i})=>i},disc:{disc:({radius:i})=>i},box:{box:({half:i})=>i},capsule:{profile:({radius:i,half_length:t})=>{let e=Math.SQRT1_2*i;return[[0,-t-i],[e,-t-e],[i,-t],[i,t],[e,t+e],[0,t+i]]}},cylinder:{profile:({radius:i,half_length:t})=>[[0,-t],[i,-t],[i,t],[0,t]]},cone:{profile:({radius:i,half_length:t})=>[[0,-t],[i,-t],[0,t]]}},ii=(i,t)=>By[i.kind]?.[t]?.(i);var eo=class{constructor(t){this.bodies=t,this.reach=t.shapes.map(zy),this.many=t.partBody.length}pick({from:t,along:e}){let n={body:-1,at:1/0},s={body:-1,at:1/0};for(let r=0;r<this.many;r++){let o=this.bodies.partBody[r],a=this.bodies.roles[o]===0?n:s;if(!this.near(r,t,e,a.at))continue;let l=this.meet(r,t,e);l<a.at&&Object.assign(a,{body:o,at:l})}return n.body>=0?n.body:s.body}near(t,e,n,s){let r=7*this.bodies.partBody[t],o=7*t,{pose:a,partPose:l}=this.bodies,c=this.reach[this.bodies.partShape[t]]+Math.hypot(l[o],l[o+1],l[o+2]),h=a[r]-e[0],u=a[r+1]-e[1],f=a[r+2]-e[2],d=h*n[0]+u*n[1]+f*n[2];return h*h+u*u+f*f-d*d<=c*c&&d+c>0&&d-c<s}meet(t,e,n){let s=this.bodies.shapes[this.bodies.partShape[t]];if(s.endless)return 1/0;let r=Ss(this.bodies,t),o=r.slice(3),a=bf(o,ln(e,r)),l=bf(o,n),c=ii(s,"ball"),h=ii(s,"box");return c?.[0]>0?Bm(a,l,c,1):c?Bm(a,l,[1,1,1],this.reach[this.bodies.partShape[t]]):h?ky(a,l,h):s.triangles?Gy(a,l,s):1/0}};function zy(i){if(i.endless)return 0;let t=ii(i,"ball");if(t)return Math.max(...t);if(i.half)return Math.hypot(...i.half);let e=0;for(let n=0;i.points&&n+2<i.points.length;n+=3)e=Math.max(e,Math.hypot(i.points[n],i.points[n+1],i.points[n+2]));return e}function Bm(i,t,e,n){let s=i.map((h,u)=>h/e[u]),r=t.map((h,u)=>h/e[u]),[o,a,l]=[ge(r,r),ge(s,r),ge(s,s)-n*n],c=a*a-o*l;return c>=0?(-a-Math.sqrt(c))/o:1/0}function ky(i,t,e){let n=0,s=1/0;for(let r=0;r<3;r++){let o=(-e[r]*Math.sign(t[r]||1)-i[r])/(t[r]||1e-30),a=(e[r]*Math.sign(t[r]||1)-i[r])/(t[r]||1e-30);n=Math.max(n,o),s=Math.min(s,a)}return n<=s?n:1/0}function Gy(i,t,{points:e,triangles:n}){let s=1/0,r=o=>[e[3*o],e[3*o+1],e[3*o+2]];for(let o=0;o<n.length;o+=3){let a=r(n[o]),l=ln(r(n[o+1]),a),c=ln(r(n[o+2]),a),h=ni(t,c),u=ge(l,h);if(Math.abs(u)<1e-30)continue;let f=ln(i,a),d=ge(f,h)/u,p=ni(f,l),x=ge(t,p)/u,m=ge(c,p)/u;d>=0&&x>=0&&d+x<=1&&m>0&&m<s&&(s=m)}return s}var Vy=40,Hy=[[0,0,1],[0,0,-1],[0,1,0],[0,-1,0],[1,0,0],[-1,0,0]],tc=class{constructor(t,e,n,s){Object.assign(this,{canvas:t,bodies:e,contacts:n,camera:s}),s.setPerspective(!1),this.sheet=new to(t),this.picker=new eo(e),this.depths=new Float32Array(e.partBody.length),this.order=[];for(let r=0;r<e.partBody.length;r++)e.shapes[e.partShape[r]].endless||this.order.push(r);this.floors=Array.from(e.partBody.keys()).filter(r=>e.shapes[e.partShape[r]].endless),this.forces=null}setTheme(t){this.sheet.setTheme(t),this.theme=t}resize(t,e){this.sheet.resize(t,e)}draw(t){let{camera:e,bodies:n}=this;Object.assign(this,e.axes()),this.scale=e.size[1]/e.height,this.sheet.clear();for(let s of this.floors)this.drawFloor(s);for(let s of this.order){let r=7*n.partBody[s],o=n.roles[n.partBody[s]]!==0;this.depths[s]=o?-1/0:ge(n.pose.subarray(r,r+3),this.toward)}this.order.sort((s,r)=>this.depths[s]-this.depths[r]||0);for(let s of this.order)this.drawPart(s,t);this.sheet.pen.globalAlpha=1,t.settings.joints&&this.sheet.hardware(this.bodies,this.bodies.time,this.scale,s=>this.toScreen(s)),t.arrows&&this.drawForces(t.arrows)}toScreen(t){let{target:e,size:n}=this.camera,s=ln(t,e);return[n[0]/2+this.scale*ge(s,this.right),n[1]/2-this.scale*ge(s,this.top)]}drawPart(t,e){let{bodies:n}=this,{pen:s}=this.sheet,r=n.partBody[t],o=n.shapes[n.partShape[t]],a=Array.from(e.rgb.subarray(3*r,3*r+3)),l=Ss(n,t);s.globalAlpha=e.arrows&&n.roles[r]===0?.55:1,s.strokeStyle=an(Ri(a,[0,0,0],.55)),s.lineWidth=.8;let c=ii(o,"ball"),h=ii(o,"box");c&&new Set(c).size===1?this.drawBall(l,c[0],a):h?this.drawBox(l,h,a):o.triangles&&o.triangles.length<=3*Vy?this.drawFaces(l,o,a):this.drawHull(l,o,a)}drawBall(t,e,n){let{pen:s}=this.sheet,r=Math.max(1.5,e*this.scale),[o,a]=this.toScreen(t),[l,c]=this.sheet.size;o<-r||a<-r||o>l+r||a>c+r||(s.beginPath(),s.arc(o,a,r,0,2*Math.PI),s.fillStyle=an(n),s.fill(),!(r<3)&&(s.stroke(),this.drawMark(t,o,a,r)))}drawMark(t,e,n,s){let{pen:r}=this.sheet,o=Dn(t.slice(3),[0,0,1]),[a,l,c]=[ge(o,this.right),-ge(o,this.top),ge(o,this.toward)],h=Math.atan2(l,a);r.beginPath(),r.ellipse(e,n,s*Math.abs(c),s,h,c>0?Math.PI/2:-Math.PI/2,c>0?1.5*Math.PI:Math.PI/2),r.stroke()}brightness(t){return .62+.3*Math.max(0,ge(t,this.camera.up))+.14*Math.max(0,ge(t,this.right)*-.5+ge(t,this.toward)*.8)}face(t,e,n){let{pen:s}=this.sheet;s.beginPath(),t.forEach((r,o)=>o===0?s.moveTo(...this.toScreen(r)):s.lineTo(...this.toScreen(r))),s.closePath(),s.fillStyle=an(n.map(r=>Math.min(1,r*this.brightness(e)))),s.fill(),s.stroke()}drawBox(t,e,n){let s=t.slice(3);for(let r of Hy){let o=Dn(s,r);if(ge(o,this.toward)<=0)continue;let a=r.findIndex(c=>c!==0),l=[[-1,-1],[1,-1],[1,1],[-1,1]].map(([c,h])=>{let u=[0,0,0];return u[a]=r[a]*e[a],u[(a+1)%3]=c*e[(a+1)%3],u[(a+2)%3]=h*e[(a+2)%3],Dn(s,u).map((f,d)=>f+t[d])});this.face(l,o,n)}}drawFaces(t,{points:e,triangles:n},s){let r=t.slice(3),{pen:o}=this.sheet,a=o.strokeStyle,l=Array.from({length:e.length/3},(c,h)=>Dn(r,e.subarray(3*h,3*h+3)).map((u,f)=>u+t[f]));for(let c=0;c<n.length;c+=3){let[h,u,f]=[l[n[c]],l[n[c+1]],l[n[c+2]]],d=Wy(h,u,f);ge(d,this.toward)<=0||(o.strokeStyle=an(s.map(p=>Math.min(1,p*this.brightness(d)))),this.face([h,u,f],d,s))}o.strokeStyle=a}drawHull(t,{points:e},n){if(!e)return;let{pen:s}=this.sheet,r=t.slice(3),o=[];for(let a=0;a+2<e.length;a+=3)o.push(this.toScreen(Dn(r,e.subarray(a,a+3)).map((l,c)=>l+t[c])));s.beginPath(),Xy(o).forEach((a,l)=>l===0?s.moveTo(...a):s.lineTo(...a)),s.closePath(),s.fillStyle=an(n),s.fill(),s.stroke()}drawFloor(t){let{pen:e}=this.sheet,n=Ss(this.bodies,t),s=n.slice(3),r=Dn(s,[0,0,1]);if(ge(r,this.toward)<=.01)return;let{centre:o,size:a}=this.camera.room,l=o.reduce((d,p,x)=>d+(p-n[x])*r[x],0),c=o.map((d,p)=>d-l*r[p]),[h,u]=[Dn(s,[1,0,0]),Dn(s,[0,1,0])],f=(d,p)=>this.toScreen(c.map((x,m)=>x+a*(d*h[m]+p*u[m])));e.beginPath();for(let d=-4;d<=4;d++)e.moveTo(...f(-.8,.2*d)),e.lineTo(...f(.8,.2*d)),e.moveTo(...f(.2*d,-.8)),e.lineTo(...f(.2*d,.8));e.strokeStyle=this.theme.faint,e.lineWidth=1,e.stroke()}drawForces({scale:t,longest:e}){this.forces??(this.forces=new Float32Array(6*Math.max(1,this.contacts.most()))),this.screen??(this.screen=new Float32Array(this.forces.length));let n=this.contacts.arrows(this.bodies.nearest,t,e,this.forces);for(let s=0;s<2*n;s++)this.screen.set(this.toScreen(this.forces.subarray(3*s,3*s+3)),2*s);this.sheet.arrows(n,this.screen)}pick(t,e){return this.picker.pick(this.camera.ray(t,e))}dispose(){this.sheet.resize(1,1)}},Wy=(i,t,e)=>Ln(ni(ln(t,i),ln(e,i)));function Xy(i){let t=i.slice().sort((n,s)=>n[0]-s[0]||n[1]-s[1]),e=n=>{let s=[];for(let r of n){for(;s.length>1&&qy(s[s.length-2],s[s.length-1],r)<=0;)s.pop();s.push(r)}return s.slice(0,-1)};return[...e(t),...e(t.reverse())]}var qy=(i,t,e)=>(t[0]-i[0])*(e[1]-i[1])-(t[1]-i[1])*(e[0]-i[0]);var ec=class{constructor(t){this.bodies=t,this.source=t.source.contacts,this.ready=!1,this.asked=null,this.typical=0,this.typicalLoad=0}get exist(){return!!this.source}load(){return!this.asked&&this.source&&(this.asked=this.read()),this.asked}async read(){let{numbers:t}=this.bodies.context,{ends:e,a:n,b:s,point:r,force:o}=this.source;[this.ends,this.a,this.b,this.point,this.force]=await Promise.all([e,n,s,r,o].map(a=>t(a))),this.findTypical(),this.ready=!0}first(t){return t>0?this.ends[t-1]:0}magnitude(t){let e=this.force;return this.bodies.planar?Math.hypot(e[2*t],e[2*t+1]):Math.sqrt(e[3*t]*e[3*t]+e[3*t+1]*e[3*t+1]+e[3*t+2]*e[3*t+2])}findTypical(){let t=Math.max(1,Math.floor(this.a.length/2e4)),e=[];for(let o=0;o<this.a.length;o+=t){let a=this.magnitude(o);a>0&&e.push(a)}this.typical=zm(e,.75);let n=[],s=new Float32Array(this.bodies.count),r=Math.max(1,Math.floor(this.ends.length/12));for(let o=0;o<this.ends.length;o+=r){this.loads(o,s);for(let a=0;a<s.length;a++)s[a]>0&&this.bodies.roles[a]===0&&n.push(s[a])}this.typicalLoad=zm(n,.95)}loads(t,e){e.fill(0);let n=this.ends[t]??0;for(let s=this.first(t);s<n;s++){let r=this.magnitude(s);this.a[s]>=0&&(e[this.a[s]]+=r),this.b[s]>=0&&(e[this.b[s]]+=r)}}arrows(t,e,n,s){let{roles:r,planar:o}=this.bodies,a=o?2:3,l=this.ends[t]??0,c=0;for(let h=this.first(t);h<l&&c+6<=s.length;h++){let u=this.magnitude(h);if(!(u*e>.004*n))continue;let f=this.a[h],d=(f>=0&&r[f]===0?1:-1)*Math.min(e,n/u);for(let p=0;p<3;p++){let x=p<a?this.point[a*h+p]:0;s[c+p]=x,s[c+3+p]=p<a?x+d*this.force[a*h+p]:0}c+=6}return c/6}most(){let t=0;for(let e=0;e<this.ends.length;e++)t=Math.max(t,this.ends[e]-this.first(e));return t}};function zm(i,t){if(i.length===0)return 0;let e=Float64Array.from(i).sort();return e[Math.min(e.length-1,Math.floor(t*e.length))]}var Yy=300;function Gm({bodies:i,contacts:t,residuals:e,settings:n,camera:s,changed:r,select:o}){let a=(f,d)=>{n[f]=d,r()},l=Um.filter(({name:f})=>(f!=="force"||t.exist)&&(f!=="residual"||e)),c=[Vm("Colour by",l.map(({name:f,label:d})=>[f,d]),n.colour,f=>a("colour",f))];t.exist&&(c.push(nc("Forces",n.forces,f=>a("forces",f))),c.push($y("Length of forces",-1.5,1.5,0,f=>a("forceScale",10**f)))),i.joints.length+i.springs.length>0&&c.push(nc(i.joints.length>0?"Joints":"Springs",n.joints,f=>a("joints",f)));let h=Zy(i,f=>{n.follow=f,o(f),r()});if(c.push(h.element),s.look){let f=["x","y","z","iso"].map(d=>Tf(d,d==="iso"?"View from a corner":`View along the ${d} axis`,()=>s.look(d)));c.push(km("View",...f,Tf("reset","Whole scene",()=>u(s))))}else c.push(km("View",Tf("reset","Whole scene",()=>u(s))));n.shadows!==null&&c.push(nc("Perspective",s.perspective,f=>s.setPerspective(f))),n.shadows!==null&&c.push(nc("Shadows",n.shadows,f=>a("shadows",f)));function u(f){h.show(-1),n.follow=-1,f.reset(),r()}return{elements:c,follow:f=>{n.follow=f,h.show(f),r()}}}function Vm(i,t,e,n){let s=I("select",{id:ql("bodies")},t.map(([r,o])=>I("option",{value:r},o)));return s.value=e,s.addEventListener("change",()=>n(s.value)),Hm(i,s)}function Hm(i,t){return I("span",{class:"control"},I("label",{for:t.id},i)," ",t)}function nc(i,t,e){let n=I("input",{type:"checkbox",id:ql("bodies")});return n.checked=t,n.addEventListener("change",()=>e(n.checked)),I("span",{class:"control"},n," ",I("label",{for:n.id},i))}function $y(i,t,e,n,s){let r=I("input",{type:"range",min:t,max:e,step:.05,value:n,"aria-label":i,title:i,style:"width:6em"});return r.addEventListener("input",()=>s(Number(r.value))),I("span",{class:"control"},r)}function Tf(i,t,e){return I("button",{type:"button",title:t,"aria-label":t,onclick:e},i)}function km(i,...t){return I("span",{class:"control",role:"group","aria-label":i},i," ",t)}function Zy(i,t){let e=Array.from({length:i.count},(r,o)=>o).filter(r=>i.roles[r]!==1);if(e.length<=Yy){let r=Vm("Follow",[["-1","nothing"],...e.map(a=>[String(a),i.names[a]])],"-1",a=>t(Number(a))),o=r.querySelector("select");return o.style.maxWidth="11em",{element:r,show:a=>{o.value=String(a)}}}let n=I("input",{type:"text",id:ql("bodies"),placeholder:"name",size:12,autocomplete:"off"}),s=()=>{let r=n.value.trim(),o=r===""?-1:i.names.indexOf(r);n.setAttribute("aria-invalid",String(r!==""&&o<0)),(r===""||o>=0)&&t(o)};return n.addEventListener("change",s),{element:Hm("Follow",n),show:r=>{n.value=r>=0?i.names[r]:""}}}async function Wm(i,t){let e={};for(let[r,o]of Object.entries(i.texts)){let l=new Blob([t.decodeBase64(o.trim())]).stream().pipeThrough(new DecompressionStream("deflate-raw"));e[r]=new Uint8Array(await new Response(l).arrayBuffer())}let n=t.decodePlanes(e[i.position.b],i.position);await t.pause();let s=t.decodePlanes(e[i.rotation.b],i.rotation);return await t.pause(),{position:n,rotation:s,counts:t.countSpeeds(n,i.times,i.dimension)}}function Xm(i,t,e){let n=new Uint32Array(512),s=i.length/t.length,r=e*Math.max(1,Math.floor(i.length/(e*2e5)));for(let o=1;o<t.length;o++){let a=t[o]-t[o-1];if(a>0)for(let l=0;l+e<=s;l+=r){let c=0;for(let h=0;h<e;h++){let u=i[o*s+l+h]-i[(o-1)*s+l+h];c+=u*u}c>0&&(n[Math.max(0,Math.min(511,Math.floor(8*Math.log2(Math.sqrt(c)/a))+256))]+=1)}}return n}function Jy(i,t){self.onmessage=async e=>{try{let n=await i(e.data,t);self.postMessage({made:n},[n.position.buffer,n.rotation.buffer])}catch(n){self.postMessage({error:String(n)})}}}var Ky=()=>Promise.resolve(),jy=()=>new Promise(i=>setTimeout(i));function qm(){let i={decode:r=>Wm(r,{decodeBase64:Hl,decodePlanes:Wl,countSpeeds:Xm,pause:jy}),stop(){}},t=`(${Jy})(${Wm}, {decodeBase64: ${Hl}, decodePlanes: ${Wl},
    countSpeeds: ${Xm}, pause: ${Ky}})`,e;try{let r=URL.createObjectURL(new Blob([t],{type:"text/javascript"}));e=new Worker(r),URL.revokeObjectURL(r)}catch{return i}let n=!1,s=r=>new Promise((o,a)=>{e.onmessage=({data:l})=>l.error?a(new Error(l.error)):o(l.made),e.onerror=l=>{l.preventDefault(),n=!0,o(i.decode(r))},e.postMessage(r)});return{decode:r=>n?i.decode(r):s(r),stop:()=>e.terminate()}}var Qy=256e6,ic=class{constructor(t,e,n,s,r){Object.assign(this,{list:t,times:e,dimension:n,numbers:r}),this.loaded=new Array(t.length).fill(null),this.decoder=qm(),this.counts=new Uint32Array(512),this.counted=new Set,this.busy=!1,this.stopped=!1,this.version=0,this.failure=null,this.pending=null,this.current=0;let o=Math.max(1,...t.map(a=>a.frames))*s*4;this.most=Math.max(3,Math.floor(Qy/Math.max(1,o)))}of(t){return this.loaded[this.indexOf(t)]??null}indexOf(t){let e=0,n=this.list.length-1;for(;e<n;){let s=e+n+1>>1;this.list[s].first<=t?e=s:n=s-1}return e}want(t){this.current=this.indexOf(t),this.next()}async first(){if(this.list.length!==0&&(this.want(0),await this.pending,this.failure))throw this.failure}next(){if(this.busy||this.stopped||this.failure)return;let t=this.list.length;for(let e=0;e<Math.min(t,this.most-1);e++){let n=(this.current+e)%t;if(!this.loaded[n]){this.pending=this.load(n);return}}}async load(t){this.busy=!0;try{let e=await this.decode(this.list[t]);if(this.stopped)return;this.loaded[t]={first:this.list[t].first,frames:this.list[t].frames,...e},this.count(t,e.counts),this.forget(),this.version+=1}catch(e){this.failure=e}this.busy=!1,this.next()}async decode(t){let e=Float64Array.from(this.times.subarray(t.first,t.first+t.frames)),{position:n,rotation:s}=t;if(n.t==="q"&&s.t==="q"){let r={};for(let o of[n.b,s.b])r[o]=document.getElementById(`thud-block-${o}`).textContent;return this.decoder.decode({texts:r,position:n,rotation:s,times:e,dimension:this.dimension})}return{position:await this.numbers(n),rotation:await this.numbers(s),counts:null}}count(t,e){if(!(!e||this.counted.has(t))){this.counted.add(t);for(let n=0;n<e.length;n++)this.counts[n]+=e[n]}}forget(){let t=this.list.length,e=s=>(s-this.current+t)%t,n=this.loaded.map((s,r)=>s?r:-1).filter(s=>s>=0);n.sort((s,r)=>e(s)-e(r));for(let s of n.slice(this.most))this.loaded[s]=null}speedQuantile(t){let e=this.counts.reduce((s,r)=>s+r,0),n=0;for(let s=0;s<this.counts.length&&e>0;s++)if(n+=this.counts[s],n>=t*e)return 2**((s+1-256)/8);return 0}dispose(){this.stopped=!0,this.decoder.stop(),this.loaded.fill(null)}};var tb=20,Ym=.6,eb=.12,nb=.12,$m=.01,ib=5e4,Jm=()=>({low:[1/0,1/0,1/0],high:[-1/0,-1/0,-1/0]}),vr=({low:i,high:t})=>Math.hypot(...i.map((e,n)=>Math.max(0,t[n]-e)));function Af(i,t,e=0){for(let n=0;n<3;n++)i.low[n]=Math.min(i.low[n],t[n]-e),i.high[n]=Math.max(i.high[n],t[n]+e)}var sc=(i,t,e)=>({low:i.low.map((n,s)=>Math.max(n,t.low[s]-e)),high:i.high.map((n,s)=>Math.min(n,t.high[s]+e))}),sb=(i,t)=>({low:i.low.map((e,n)=>Math.min(e,t.low[n])),high:i.high.map((e,n)=>Math.max(e,t.high[n]))}),Km={low:[-1/0,-1/0,-1/0],high:[1/0,1/0,1/0]};function rb(i){let{position:t}=i.chunks.of(0)??{};if(!t||i.chunks.list.length>1)return Km;let e=i.dimension,n=Math.max(1,Math.floor(t.length/e/ib)),s={low:[0,0,0],high:[0,0,0]};for(let r=0;r<e;r++){let o=[];for(let l=r;l<t.length;l+=e*n)o.push(t[l]);let a=Float64Array.from(o).sort();s.low[r]=a[Math.floor($m*a.length)],s.high[r]=a[Math.ceil((1-$m)*a.length)-1]}return s}function jm(i){let t=ob(i),e=ab(i),n=i.roles.reduce((r,o)=>r+(o===0?1:0),0);n>tb&&vr(e)>0&&(t=sb(sc(sc(t,e,vr(e)),rb(i),Zm(i)),e)),n===1&&(t=sc(Km,t,nb*vr(t))),vr(t)>0||(t={low:[-.5,-.5,i.planar?0:-.5],high:[.5,.5,i.planar?0:.5]});let s={low:t.low.slice(),high:t.high.slice()};for(let r=0;r<i.partBody.length;r++)i.roles[i.partBody[r]]!==0&&lb(i,r,t,s);return{...s,centre:s.low.map((r,o)=>(r+s.high[o])/2),size:vr(s),radius:Zm(i)}}function ob(i){let t=(i.source.room??[]).flat().map(Number);for(;t.length<6;)t.push(0);return{low:t.slice(0,3),high:t.slice(3,6)}}function ab(i){let t=Jm();for(let e=0;e<i.count;e++)i.roles[e]===0&&Af(t,i.pose.subarray(7*e,7*e+3),Number.isFinite(i.radius[e])?i.radius[e]:0);return t}function lb(i,t,e,n){let s=cb(i,t);if(!(vr(s)>=0))return;let r=vr(e),o=Math.max(...e.low.map((l,c)=>Math.max(l-s.low[c],s.high[c]-e.high[c]))),a=sc(s,e,(o<=Ym*r?Ym:eb)*r);for(let l=0;l<3;l++)a.low[l]<=a.high[l]&&(n.low[l]=Math.min(n.low[l],a.low[l]),n.high[l]=Math.max(n.high[l],a.high[l]))}function cb(i,t){let e=i.shapes[i.partShape[t]],n=Jm();if(e.endless)return{low:[NaN,NaN,NaN],high:[NaN,NaN,NaN]};let s=Ss(i,t),r=e.points?.length%3===0?e.points:e.half?hb(e.half):null;for(let o=0;r&&o<r.length;o+=3)Af(n,Dn(s.slice(3),r.subarray(o,o+3)).map((a,l)=>a+s[l]));return r||Af(n,s,(e.radius??0)+(e.half_length??0)),n}var hb=([i,t,e=0])=>Float64Array.from({length:24},(n,s)=>[i,t,e][s%3]*(s/3&1<<s%3?1:-1));function Zm(i){let t=0,e=0;for(let n=0;n<i.count;n++)i.roles[n]===0&&i.radius[n]>0&&Number.isFinite(i.radius[n])&&(t+=i.radius[n],e+=1);return e>0?t/e:0}async function Qm(i,t){let e=i.bodies,[n,s,r,o,a,l,c,h,u]=await Promise.all([e.roles,e.part_body,e.part_shape,e.part_pose,e.t,e.radius,e.still,e.still_pose,e.moving].map(d=>t.numbers(d))),f=await Promise.all(e.shapes.map(d=>ub(d,t)));return new Ef(e,{roles:n,partBody:s,partShape:r,partPose:o,t:a,radius:l,shapes:f,still:c,stillPose:h,moving:u},t)}async function ub(i,t){let e=i.points?await t.numbers(i.points):null,n=i.triangles?await t.numbers(i.triangles):null;return{...i,points:e,triangles:n}}var Ef=class{constructor(t,e,n){Object.assign(this,e),this.source=t,this.context=n,this.planar=t.planar,this.count=t.count,this.names=t.names,this.springs=t.springs??[],this.joints=t.joints??[],this.up=t.up??[0,0,1],this.room=null,this.dimension=this.planar?2:3;let s=this.moving.length*(this.planar?3:7);this.chunks=new ic(t.chunks??[],this.t,this.dimension,s,n.numbers),this.pose=new Float32Array(7*this.count);for(let r=0;r<this.count;r++)this.pose[7*r+3]=1;this.still.forEach((r,o)=>this.pose.set(this.stillPose.subarray(7*o,7*o+7),7*r)),this.slot=new Int32Array(this.count).fill(-1),this.moving.forEach((r,o)=>{this.slot[r]=o}),this.frame=0,this.share=0,this.shown=null}async begin(){await this.chunks.first(),this.place(),this.room=jm(this)}get nearest(){return this.share>.5?this.frame+1:this.frame}seek(t){let{t:e}=this,n=this.frame;e[n]<=t&&(n+1>=e.length||e[n+1]>t)||(n=fb(e,t));let s=n+1<e.length?e[n+1]-e[n]:0;return this.share=s>0?Math.min(1,Math.max(0,(t-e[n])/s)):0,this.frame=n,this.chunks.want(n),this.place()}get time(){let t=Math.min(this.frame+1,this.t.length-1);return(1-this.share)*this.t[this.frame]+this.share*this.t[t]}place(){let t=`${this.frame} ${this.share}`;if(t===this.shown||this.moving.length===0)return!1;let e=this.chunks.of(this.frame),n=this.share>0?this.chunks.of(this.frame+1):e;if(!e||!n)return!1;let s=this.frame-e.first,r=this.share>0?this.frame+1-n.first:s;return this.planar?pb(this.pose,this.moving,e,s,n,r,this.share):db(this.pose,this.moving,e,s,n,r,this.share),this.shown=t,!0}eachSpeed(t){let e=this.interval();if(!e)return!1;let n=this.dimension,[s,r,o,a,l]=e,c=s.position,h=o.position,u=this.moving.length;for(let f=0;f<u;f++){let d=(r*u+f)*n,p=(a*u+f)*n,x=h[p]-c[d],m=h[p+1]-c[d+1],g=n===3?h[p+2]-c[d+2]:0;t(this.moving[f],Math.sqrt(x*x+m*m+g*g)/l)}return!0}speed(t){let e=this.slot[t]>=0?this.interval():null;if(!e)return this.slot[t]>=0?NaN:0;let[n,s,r,o,a]=e,l=this.dimension,c=0;for(let h=0;h<l;h++){let u=r.position[(o*this.moving.length+this.slot[t])*l+h]-n.position[(s*this.moving.length+this.slot[t])*l+h];c+=u*u}return Math.sqrt(c)/a}interval(){let t=this.frame;if(this.t[t+1]>this.t[t]||(t-=1),!(t>=0&&this.t[t+1]>this.t[t]))return null;let e=this.chunks.of(t),n=this.chunks.of(t+1);return!e||!n?null:[e,t-e.first,n,t+1-n.first,this.t[t+1]-this.t[t]]}dispose(){this.chunks.dispose()}};function fb(i,t){let e=0,n=i.length-1;for(;e<n;){let s=e+n+1>>1;i[s]<=t?e=s:n=s-1}return e}function db(i,t,e,n,s,r,o){let a=t.length,l=1-o,c=e.position,h=s.position,u=e.rotation,f=s.rotation;for(let d=0,p=n*a*3,x=r*a*3,m=n*a*4,g=r*a*4;d<a;d++,p+=3,x+=3,m+=4,g+=4){let b=7*t[d];i[b]=l*c[p]+o*h[x],i[b+1]=l*c[p+1]+o*h[x+1],i[b+2]=l*c[p+2]+o*h[x+2];let S=l*u[m]+o*f[g],y=l*u[m+1]+o*f[g+1],C=l*u[m+2]+o*f[g+2],E=l*u[m+3]+o*f[g+3],_=1/Math.sqrt(S*S+y*y+C*C+E*E);i[b+3]=S*_,i[b+4]=y*_,i[b+5]=C*_,i[b+6]=E*_}}function pb(i,t,e,n,s,r,o){let a=t.length,l=1-o;for(let c=0,h=n*a,u=r*a;c<a;c++,h++,u++){let f=7*t[c],d=.5*(l*e.rotation[h]+o*s.rotation[u]);i[f]=l*e.position[2*h]+o*s.position[2*u],i[f+1]=l*e.position[2*h+1]+o*s.position[2*u+1],i[f+3]=Math.cos(d),i[f+6]=Math.sin(d)}}var rc=class{constructor(t){this.room=t,this.size=[600,400],this.version=0,this.reset()}changed(){this.version+=1}reset(){this.fitted=!0,this.fit()}fit(){let{low:t,high:e,centre:n,size:s}=this.room,r=.3*s,o=Math.max(e[0]-t[0],r),a=Math.max(e[1]-t[1],r);this.target=n.slice(),this.scale=Math.min(this.size[0]/o,this.size[1]/a)/1.15,this.changed()}get height(){return this.size[1]/this.scale}resize(t,e){let n=e/this.size[1];this.size=[t,e],this.fitted?this.fit():(this.scale*=n,this.changed())}rotate(t,e){this.pan(t,e)}pan(t,e){this.target=[this.target[0]-t/this.scale,this.target[1]+e/this.scale,0],this.fitted=!1,this.changed()}zoom(t,e=this.size[0]/2,n=this.size[1]/2){let s=Math.min(1e4/this.room.size*this.size[1],Math.max(.01/this.room.size*this.size[1],this.scale*t)),r=this.place(e,n);this.scale=s;let o=this.place(e,n);this.target=[this.target[0]+r[0]-o[0],this.target[1]+r[1]-o[1],0],this.fitted=!1,this.changed()}centre(t){this.target=[t[0],t[1],0],this.fitted=!1,this.changed()}project(t){return[this.size[0]/2+this.scale*(t[0]-this.target[0]),this.size[1]/2-this.scale*(t[1]-this.target[1]),this.scale]}place(t,e){return[this.target[0]+(t-this.size[0]/2)/this.scale,this.target[1]-(e-this.size[1]/2)/this.scale]}};function oc(i,t,{hover:e,click:n}){let s=new Map,r=0,o=null,a=S=>{let y=i.getBoundingClientRect();return[S.clientX-y.left,S.clientY-y.top]},l=()=>{let[S,y]=[...s.values()];return[Math.hypot(S[0]-y[0],S[1]-y[1]),(S[0]+y[0])/2,(S[1]+y[1])/2]},c=S=>{i.focus({preventScroll:!0}),h(S.pointerId),s.set(S.pointerId,a(S)),r=0,o=s.size===2?l():null},h=S=>{try{i.setPointerCapture(S)}catch{}},u=S=>{let y=a(S),C=s.get(S.pointerId);if(!C){e(y[0],y[1]);return}let[E,_]=[y[0]-C[0],y[1]-C[1]];s.set(S.pointerId,y),r+=Math.abs(E)+Math.abs(_),s.size===2?f():s.size===1&&r>3&&(S.buttons&6||S.shiftKey?t.pan(E,_):t.rotate(E,_))},f=()=>{let S=l();o&&o[0]>0&&(t.zoom(S[0]/o[0],S[1],S[2]),t.pan(S[1]-o[1],S[2]-o[2])),o=S},d=S=>{s.delete(S.pointerId)&&r<=3&&S.type==="pointerup"&&n(...a(S)),o=null},p=S=>{if(document.activeElement!==i&&!S.ctrlKey)return;S.preventDefault();let y=S.deltaMode===1?30:1;t.zoom(Math.exp(-.0015*Math.max(-300,Math.min(300,S.deltaY*y))),...a(S))},b={pointerdown:c,pointermove:u,pointerup:d,pointercancel:d,pointerleave:()=>e(-1,-1),keydown:S=>{if(S.ctrlKey||S.altKey||S.metaKey)return;let C={ArrowLeft:[-24,0],ArrowRight:[24,0],ArrowUp:[0,-24],ArrowDown:[0,24]}[S.key];if(C&&S.shiftKey)t.pan(-C[0],-C[1]);else if(C)t.rotate(-C[0],-C[1]);else if(S.key==="+"||S.key==="=")t.zoom(1.2);else if(S.key==="-")t.zoom(1/1.2);else if(S.key==="0")t.reset();else return;S.preventDefault(),S.stopPropagation()},contextmenu:S=>S.preventDefault()};for(let[S,y]of Object.entries(b))i.addEventListener(S,y);i.addEventListener("wheel",p,{passive:!1}),i.style.touchAction="none"}var Cf=40*Math.PI/180,mb={azimuth:-Math.PI/3,elevation:25*Math.PI/180},no=class{constructor(t,e){this.room=t,this.up=Ln(e);let n=this.up.map(Math.abs),s=n[2]>=n[0]&&n[2]>=n[1]?0:n[1]>=n[0]?2:1,r=[0,1,2].map(o=>o===s?1:0);this.first=Ln(nn(r,this.up,-ge(r,this.up))),this.second=ni(this.up,this.first),this.perspective=!0,this.aspect=1.5,this.size=[600,400],this.version=0,this.reset()}changed(){this.version+=1}reset(){Object.assign(this,mb),this.fit()}fit(){this.target=this.room.centre.slice();let{right:t,top:e,toward:n}=this.axes(),s=Math.tan(Cf/2),r=0,o=0;for(let l=0;l<8;l++){let c=[0,1,2].map(f=>l&1<<f?this.room.high[f]:this.room.low[f]),h=nn(c,this.target,-1),u=Math.max(Math.abs(ge(h,t))/this.aspect,Math.abs(ge(h,e)));o=Math.max(o,u),r=Math.max(r,u/s+(this.perspective?ge(h,n):0))}let a=1.15*Math.max(this.perspective?r:o/s,.2*this.room.size);this.distance=Math.max(a,1e-9),this.fitted=!0,this.changed()}axes(){let[t,e]=[Math.cos(this.azimuth),Math.sin(this.azimuth)],n=nn(this.first.map(o=>t*o),this.second,e),s=nn(this.second.map(o=>t*o),this.first,-e),r=nn(n.map(o=>Math.cos(this.elevation)*o),this.up,Math.sin(this.elevation));return{right:s,toward:r,top:ni(r,s)}}get eye(){return nn(this.target,this.axes().toward,this.distance)}get height(){return 2*this.distance*Math.tan(Cf/2)}get field(){return Cf}resize(t,e){this.size=[t,e],this.aspect=t/Math.max(1,e),this.fitted?this.fit():this.changed()}rotate(t,e){this.azimuth-=t*.008,this.elevation=Math.min(Math.PI/2,Math.max(-Math.PI/2,this.elevation+e*.008)),this.changed()}pan(t,e){let{right:n,top:s}=this.axes(),r=this.height/this.size[1];this.target=nn(nn(this.target,n,-t*r),s,e*r),this.fitted=!1,this.changed()}zoom(t){this.distance=Math.min(100*this.room.size,Math.max(.001*this.room.size,this.distance/t)),this.fitted=!1,this.changed()}centre(t){this.target=[t[0],t[1],t[2]],this.fitted=!1,this.changed()}look(t){if(t==="iso")Object.assign(this,{azimuth:-Math.PI/4,elevation:Math.atan(Math.SQRT1_2)});else{let e=["x","y","z"].map(o=>o===t?1:0),[n,s,r]=[this.up,this.first,this.second].map(o=>Math.abs(ge(o,e)));n>=s&&n>=r?Object.assign(this,{azimuth:-Math.PI/2,elevation:Math.PI/2}):Object.assign(this,{azimuth:s>=r?0:-Math.PI/2,elevation:0})}this.fitted?this.fit():this.changed()}setPerspective(t){this.perspective=t,this.fitted?this.fit():this.changed()}project(t){let{right:e,top:n,toward:s}=this.axes(),r=nn(t,this.target,-1),o=this.perspective?Math.max(this.distance-ge(r,s),1e-6*this.distance):this.distance,a=this.size[1]/this.height*this.distance/o;return[this.size[0]/2+a*ge(r,e),this.size[1]/2-a*ge(r,n),a]}ray(t,e){let{right:n,top:s,toward:r}=this.axes(),o=this.height/2,a=(2*t/this.size[0]-1)*o*this.aspect,l=(1-2*e/this.size[1])*o,c=nn(nn(this.target,n,a),s,l);if(!this.perspective)return{from:nn(c,r,4*this.room.size+this.distance),along:r.map(u=>-u)};let h=this.eye;return{from:h,along:Ln(nn(c,h,-1))}}};var gb="⁰¹²³⁴⁵⁶⁷⁸⁹";function va(i){let t=[...String(Math.abs(i))].map(e=>gb[e]).join("");return`10${i<0?"⁻":""}${t}`}var tg=i=>i.includes(".")?i.replace(/\.?0+$/,""):i,io=i=>i.replace("-","−");function te(i,t=5){if(typeof i!="number"||Number.isNaN(i))return"–";if(!Number.isFinite(i))return i>0?"∞":"−∞";if(i===0)return"0";if(Number.isInteger(i)&&Math.abs(i)<1e7)return io(String(i));let e=Math.abs(i);if(e>=.001&&e<1e6)return io(tg(i.toPrecision(t)));let[n,s]=i.toExponential(t-1).split("e");return`${io(tg(n))}·${va(Number(s))}`}var Nn=(i,t)=>t?`${i} ${t}`:i,_i=(i,t,e)=>Nn(te(i,e),typeof i=="number"?t:""),yr=i=>i==null?"–":typeof i=="number"?te(i,6):String(i);function so(i){let t=i[1]-i[0],e=Math.min(12,Math.max(0,3-Math.floor(Math.log10(t||1)))),n=Math.max(Math.abs(i[0]),Math.abs(i[1]))>=1e7||e>9;return s=>n?te(s,7):io(s.toFixed(e))}function eg(i){let t=Math.max(0,-Math.floor(Math.log10(i)+1e-9));for(;t<15&&Math.abs(i*10**t-Math.round(i*10**t))>1e-6;)t++;return t}function br(i,t){if(i.length===0)return[];let e=Math.max(...i.map(Math.abs));if(e===0)return i.map(()=>"0");if(e>=1e6||e>0&&e<.001){let s=Math.floor(Math.log10(e)),r=eg(t/10**s);return i.map(o=>o===0?"0":`${io((o/10**s).toFixed(r))}·${va(s)}`)}let n=eg(t);return i.map(s=>io((Math.abs(s)<t*1e-6?0:s).toFixed(n)))}var Zs=i=>i.replace(/_/g," "),ki=(i,t,e=`${t}s`)=>`${te(i)} ${i===1?t:e}`,ng=9,ig=i=>i.length>ng?`…${i.slice(1-ng)}`:i;var ro="position:absolute;pointer-events:none;font:12px/1.35 system-ui,sans-serif;font-variant-numeric:tabular-nums;",xb=["x","y","z"],Gi=i=>te(i,4),oo=class{constructor(t,e){this.read=I("div",{style:`${ro}left:10px;top:8px;max-width:70%;padding:3px 7px;border-radius:4px;white-space:pre-line`}),this.bar=I("div",{style:`${ro}right:10px;bottom:8px;width:min(200px,45%);padding:3px 7px;border-radius:4px`}),this.barTitle=I("div"),this.barRamp=I("div",{style:"height:9px;border-radius:2px;margin:2px 0"}),this.barEnds=I("div",{style:"display:flex;justify-content:space-between"}),this.bar.append(this.barTitle,this.barRamp,this.barEnds),this.key=I("div",{style:`${ro}right:10px;top:8px;display:flex;align-items:center;gap:6px;padding:2px 7px;border-radius:4px`}),this.keyArrow=De("path",{fill:"none","stroke-width":2}),this.keyText=I("span"),this.keyPicture=De("svg",{width:52,height:12,"aria-hidden":"true"},this.keyArrow),this.key.append(this.keyPicture,this.keyText),this.ring=I("div",{style:`${ro}box-sizing:border-box;border:2px dashed;border-radius:50%;display:none`}),this.length=I("div",{style:`${ro}left:${e?12:84}px;bottom:10px;text-align:center`}),this.lengthText=I("div"),this.lengthBar=I("div",{style:"height:4px;border:1.4px solid;border-top:none;box-sizing:border-box"}),this.length.append(this.lengthText,this.lengthBar),this.axes=e?null:De("svg",{width:74,height:74,style:`${ro}left:4px;bottom:4px`,"aria-hidden":"true"}),this.arms=xb.map(n=>({line:De("path",{fill:"none","stroke-width":1.6,"stroke-linecap":"round"}),text:De("text",{"font-size":11,"text-anchor":"middle","dominant-baseline":"central"},n)}));for(let{line:n,text:s}of this.arms)this.axes?.append(n,s);for(let n of[this.read,this.bar,this.key])n.hidden=!0;this.shownBar=null,t.append(this.ring,this.read,this.bar,this.key,this.length,...this.axes?[this.axes]:[])}setTheme(t){for(let e of[this.read,this.bar,this.key])e.style.color=t.ink,e.style.background=`${t.paper}cc`;this.length.style.color=t.muted,this.ring.style.borderColor=t.accent,this.keyArrow.setAttribute("stroke",t.paints.force);for(let{line:e,text:n}of this.arms)e.setAttribute("stroke",t.muted),n.setAttribute("fill",t.ink);this.shownBar=null}write(t){this.read.textContent!==t&&(this.read.textContent=t),this.show(this.read,t!=="")}show(t,e){t.style.display=e?t===this.key?"flex":"block":"none",t.hidden=!e}scale(t){let e=t?`${t.label} ${t.unit} ${t.low} ${t.high}`:"";if(e===this.shownBar||(this.shownBar=e,this.show(this.bar,!!t),!t))return;this.barTitle.textContent=t.unit?`${t.label} (${t.unit})`:t.label,this.barRamp.style.background=`linear-gradient(90deg, ${t.colours.map(an).join(", ")})`;let n=t.log?Math.sqrt(t.low*t.high):(t.low+t.high)/2,s=[Gi(t.low),Gi(n),`${t.more?"≥ ":""}${Gi(t.high)}`];this.barEnds.replaceChildren(...s.map(r=>I("span",{},r)))}forceKey(t,e){if(this.show(this.key,e!==""),e==="")return;let n=2+Math.max(6,Math.min(48,t));this.keyPicture.setAttribute("width",n+2),this.keyArrow.setAttribute("d",`M2 6H${n}M${n-5} 2.5L${n} 6L${n-5} 9.5`),this.keyText.textContent!==e&&(this.keyText.textContent=e)}measure(t,e){if(this.length.style.display=t>0?"block":"none",!(t>0))return;let n=Qr(110/t);this.lengthBar.style.width=`${(n*t).toFixed(1)}px`;let s=`${Gi(n)} ${e}`;this.lengthText.textContent!==s&&(this.lengthText.textContent=s)}mark(t,e,n){this.ring.style.display=n>0?"block":"none",n>0&&Object.assign(this.ring.style,{width:`${2*n}px`,height:`${2*n}px`,transform:`translate(${t-n}px, ${e-n}px)`,left:0,top:0})}turn({right:t,top:e,toward:n}){if(!this.axes)return;let s=[0,1,2].sort((r,o)=>n[r]-n[o]);for(let r of s){let{line:o,text:a}=this.arms[r],[l,c]=[37+24*t[r],37-24*e[r]],h=Math.hypot(t[r],e[r]);o.setAttribute("d",`M37 37L${l.toFixed(1)} ${c.toFixed(1)}`),a.setAttribute("x",(37+32*t[r]).toFixed(1)),a.setAttribute("y",(37-32*e[r]).toFixed(1)),a.style.display=h<.2?"none":"",o.style.opacity=n[r]<-.01?.55:1}}dispose(){for(let t of[this.ring,this.read,this.bar,this.key,this.length,this.axes])t?.remove()}};var ao=10;function sg(i,t){let e=i.shapes[i.partShape[t]],[n,s,,r,,,o]=i.partPose.subarray(7*t,7*t+7),[a,l]=[r*r-o*o,2*r*o],c=(d,p)=>[n+a*d-l*p,s+l*d+a*p];if(e.endless)return{ground:[...c(0,0),-l,a]};let h=ii(e,"disc");if(h!==void 0)return{disc:[n,s,h,Math.atan2(l,a)]};let u=_b(e),f=new Float32Array(u.length);for(let d=0;d<u.length;d+=2)f.set(c(u[d],u[d+1]),d);return{points:f,open:!!e.open}}function _b(i){return i.points?.length?vb(i.points):i.half?yb(i.half):i.half_length!==void 0?bb(i.radius,i.half_length):[]}function vb(i){return i.length%3===0&&i.every((e,n)=>n%3!==2||e===0)?i.filter((e,n)=>n%3!==2):i}var yb=([i,t])=>[-i,-t,i,-t,i,t,-i,t];function bb(i,t){let e=[];for(let n=0;n<=ao;n++)e.push(i*Math.cos(Math.PI*n/ao),t+i*Math.sin(Math.PI*n/ao));for(let n=0;n<=ao;n++)e.push(-i*Math.cos(Math.PI*n/ao),-t-i*Math.sin(Math.PI*n/ao));return e}var Mb=3,Sb=14,wb=2.5,ac=class{constructor(t,e,n,s){Object.assign(this,{canvas:t,bodies:e,contacts:n,camera:s}),this.sheet=new to(t),this.outlines=Array.from({length:e.partBody.length},(r,o)=>sg(e,o)),this.grounds=[...this.outlines.keys()].filter(r=>this.outlines[r].ground),this.batches=[],this.forces=null,this.fresh=!0}setTheme(t){this.sheet.setTheme(t),this.theme=t,this.fresh=!0}resize(t,e){this.sheet.resize(t,e),this.fresh=!0}sort(t){let{bodies:e}=this,n=new Map;this.outlines.forEach((s,r)=>{if(s.ground)return;let o=e.partBody[r],a=e.roles[o]!==0,l=Array.from(t.subarray(3*o,3*o+3)),c=`${a} ${an(l)}`;n.has(c)||n.set(c,{still:a,colour:l,parts:[]}),n.get(c).parts.push(r)}),this.batches=[...n.values()].sort((s,r)=>Number(r.still)-Number(s.still))}draw(t){(this.fresh||t.painted)&&this.sort(t.rgb),this.fresh=!1;let{camera:e,sheet:n}=this,{pen:s}=n;this.scale=e.scale,this.shift=[e.size[0]/2-e.scale*e.target[0],e.size[1]/2+e.scale*e.target[1]],n.clear();for(let r of this.grounds)this.drawGround(r,t.rgb);for(let r of this.batches)this.drawBatch(r,t.arrows&&!r.still?.5:1);s.globalAlpha=1,t.settings.joints&&this.sheet.hardware(this.bodies,this.bodies.time,this.scale,([r,o])=>this.toScreen(r,o)),t.arrows&&this.drawForces(t.arrows)}drawBatch(t,e){let{pen:n}=this.sheet,s=new Path2D,r=new Path2D;for(let o of t.parts)this.trace(o,r,s);n.globalAlpha=e,n.fillStyle=t.still?this.sheet.hatch(t.colour):an(t.colour),n.fill(r),!(this.bodies.room.radius*this.scale<wb&&!t.still)&&(n.strokeStyle=this.theme.ink,n.globalAlpha=e*(t.still?.6:.75),n.lineWidth=t.still?1.2:1,n.stroke(r),n.stroke(s))}drawGround(t,e){let{pen:n}=this.sheet,s=this.bodies.partBody[t],r=Array.from(e.subarray(3*s,3*s+3)),[o,a]=[new Path2D,new Path2D];this.depth=2*(this.sheet.size[0]+this.sheet.size[1]),this.trace(t,o,o),this.depth=Sb,this.trace(t,a,a),n.fillStyle=this.theme.faint,n.globalAlpha=.5,n.fill(o),n.globalAlpha=1,n.fillStyle=this.sheet.hatch(r),n.fill(a),n.strokeStyle=this.theme.ink,n.globalAlpha=.6,n.lineWidth=1.2,n.stroke(o),n.globalAlpha=1}trace(t,e,n){let s=this.outlines[t],r=7*this.bodies.partBody[t],{pose:o}=this.bodies,a=o[r+3],l=o[r+6],c=this.scale*(a*a-l*l),h=this.scale*2*a*l,u=this.shift[0]+this.scale*o[r],f=this.shift[1]-this.scale*o[r+1];s.disc?this.traceDisc(s.disc,u,f,c,h,e,n):s.ground?Ab(s.ground,u,f,c,h,e,this.sheet.size,this.depth):Tb(s,u,f,c,h,e)}traceDisc([t,e,n,s],r,o,a,l,c,h){let u=r+a*t-l*e,f=o-l*t-a*e,d=n>0?n*this.scale:Mb,[p,x]=this.sheet.size;if(u<-d||f<-d||u>p+d||f>x+d||(c.moveTo(u+d,f),c.arc(u,f,d,0,2*Math.PI),d<3))return;let m=(a*Math.cos(s)-l*Math.sin(s))/this.scale,g=(l*Math.cos(s)+a*Math.sin(s))/this.scale;h.moveTo(u,f),h.lineTo(u+d*m,f-d*g)}drawForces({scale:t,longest:e}){var r;this.forces??(this.forces={ends:new Float32Array(6*Math.max(1,this.contacts.most())),screen:null});let{ends:n}=this.forces;(r=this.forces).screen??(r.screen=new Float32Array(n.length));let s=this.contacts.arrows(this.bodies.nearest,t,e,n);for(let o=0;o<s;o++)this.forces.screen.set(this.toScreen(n[6*o],n[6*o+1]),4*o),this.forces.screen.set(this.toScreen(n[6*o+3],n[6*o+4]),4*o+2);this.sheet.arrows(s,this.forces.screen)}toScreen(t,e){return[this.shift[0]+this.scale*t,this.shift[1]-this.scale*e]}pick(t,e){let{pen:n}=this.sheet,s=-1;if(this.scale===void 0)return-1;for(let r=this.outlines.length-1;r>=0;r--){if(this.outlines[r].ground)continue;let o=new Path2D;if(this.trace(r,o,o),!n.isPointInPath(o,t*this.sheet.ratio,e*this.sheet.ratio))continue;let a=this.bodies.partBody[r];if(this.bodies.roles[a]===0)return a;s=a}return s}dispose(){this.sheet.resize(1,1)}};function Tb({points:i,open:t},e,n,s,r,o){for(let a=0;a<i.length;a+=2){let l=e+s*i[a]-r*i[a+1],c=n-r*i[a]-s*i[a+1];a===0?o.moveTo(l,c):o.lineTo(l,c)}t||o.closePath()}function Ab([i,t,e,n],s,r,o,a,l,c,h){let u=2*(c[0]+c[1]),f=Math.hypot(o,a),d=s+o*i-a*t,p=r-a*i-o*t,x=[(o*e-a*n)/f,-(a*e+o*n)/f],m=[c[0]/2-d,c[1]/2-p],g=m[0]*-x[1]+m[1]*x[0],[b,S]=[d-g*x[1],p+g*x[0]];l.moveTo(b-u*x[1],S+u*x[0]),l.lineTo(b+u*x[1],S-u*x[0]),l.lineTo(b+u*x[1]-h*x[0],S-u*x[0]-h*x[1]),l.lineTo(b-u*x[1]-h*x[0],S+u*x[0]-h*x[1]),l.closePath()}async function rg(i){let{residual:t,worst_a:e,worst_b:n,penetration:s}=i.source;if(!t)return null;let{numbers:r}=i.context,[o,a,l,c]=await Promise.all([t,e,n,s].map(d=>r(d))),h=1/0,u=0;for(let d of o)d>0&&Number.isFinite(d)&&(h=Math.min(h,d),u=Math.max(u,d));h=Math.max(h,1e-9*u);let f=(d,p,x)=>p<d.length?d[p]:x;return d=>({low:h,high:u,residual:f(o,d,NaN),a:f(a,d,-1),b:f(l,d,-1),penetration:f(c,d,NaN)})}var Hg=0,od=1,Wg=2;var ll=1,Xg=2,Go=3,us=0,li=1,kn=2,Pr=0,Vo=1,ad=2,ld=3,cd=4,cl=5;var Us=100,qg=101,Yg=102,vh=103,$g=104,Zg=200,hl=201,Jg=202,Kg=203,ul=204,fl=205,jg=206,Qg=207,t0=208,e0=209,n0=210,i0=211,s0=212,r0=213,o0=214,zc=0,kc=1,Gc=2,Po=3,Io=4,Vc=5,Hc=6,Wc=7,yh=0,a0=1,l0=2,fs=0,hd=1,ud=2,fd=3,dd=4,pd=5,md=6,gd=7;var xd=300,Ir=301,Ho=302,bh=303,Mh=304,Xc=1e3,ls=1001,qc=1002,Fn=1003,c0=1004;var dl=1005;var ri=1006,Sh=1007;var Fs=1008;var di=1009,_d=1010,vd=1011,Wo=1012,wh=1013,Yi=1014,Di=1015,$i=1016,Th=1017,Ah=1018,Lr=1020,yd=35902,bd=35899,Md=1021,Sd=1022,Zi=1023,Is=1026,Os=1027,Eh=1028,Ch=1029,cr=1030,Rh=1031;var Ph=1033,pl=33776,ml=33777,gl=33778,xl=33779,Ih=35840,Lh=35841,Dh=35842,Nh=35843,Uh=36196,Fh=37492,Oh=37496,Bh=37488,zh=37489,_l=37490,kh=37491,Gh=37808,Vh=37809,Hh=37810,Wh=37811,Xh=37812,qh=37813,Yh=37814,$h=37815,Zh=37816,Jh=37817,Kh=37818,jh=37819,Qh=37820,tu=37821,eu=36492,nu=36494,iu=36495,su=36283,ru=36284,vl=36285,ou=36286;var Da=2300,Yc=2301,Oc=2302,jf=2303,Qf=2400,td=2401,ed=2402;var h0=3200;var au=0,u0=1,Bs="",bi="srgb",$n="srgb-linear",Na="linear",Ce="srgb";var Bc=7680;var f0=519,d0=512,p0=513,m0=514,wd=515,g0=516,x0=517,Td=518,Ad=519,Ed=35044,hr=35048;var Cd="300 es",Ii=2e3,Lo=2001;function Eb(i){for(let t=i.length-1;t>=0;--t)if(i[t]>=65535)return!0;return!1}function Cb(i){return ArrayBuffer.isView(i)&&!(i instanceof DataView)}function Ua(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function _0(){let i=Ua("canvas");return i.style.display="block",i}var og={},Do=null;function Fa(...i){let t="THREE."+i.shift();Do?Do("log",t,...i):console.log(t,...i)}function v0(i){let t=i[0];if(typeof t=="string"&&t.startsWith("TSL:")){let e=i[1];e&&e.isStackTrace?i[0]+=" "+e.getLocation():i[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return i}function qt(...i){i=v0(i);let t="THREE."+i.shift();if(Do)Do("warn",t,...i);else{let e=i[0];e&&e.isStackTrace?console.warn(e.getError(t)):console.warn(t,...i)}}function jt(...i){i=v0(i);let t="THREE."+i.shift();if(Do)Do("error",t,...i);else{let e=i[0];e&&e.isStackTrace?console.error(e.getError(t)):console.error(t,...i)}}function Pa(...i){let t=i.join(" ");t in og||(og[t]=!0,qt(...i))}function y0(i,t,e){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(t,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,e);break;default:n()}}setTimeout(r,e)})}var b0={[zc]:zc,[Gc]:Hc,[Io]:Io,[Po]:Vc,[kc]:kc,[Hc]:Gc,[Wc]:Wc,[Vc]:Po},cs=class{addEventListener(t,e){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[t]===void 0&&(n[t]=[]),n[t].indexOf(e)===-1&&n[t].push(e)}hasEventListener(t,e){let n=this._listeners;return n===void 0?!1:n[t]!==void 0&&n[t].indexOf(e)!==-1}removeEventListener(t,e){let n=this._listeners;if(n===void 0)return;let s=n[t];if(s!==void 0){let r=s.indexOf(e);r!==-1&&s.splice(r,1)}}dispatchEvent(t){let e=this._listeners;if(e===void 0)return;let n=e[t.type];if(n!==void 0){t.target=this;let s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,t);t.target=null}}},qn=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],ag=1234567,Ia=Math.PI/180,No=180/Math.PI;function ur(){let i=Math.random()*4294967295|0,t=Math.random()*4294967295|0,e=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(qn[i&255]+qn[i>>8&255]+qn[i>>16&255]+qn[i>>24&255]+"-"+qn[t&255]+qn[t>>8&255]+"-"+qn[t>>16&15|64]+qn[t>>24&255]+"-"+qn[e&63|128]+qn[e>>8&255]+"-"+qn[e>>16&255]+qn[e>>24&255]+qn[n&255]+qn[n>>8&255]+qn[n>>16&255]+qn[n>>24&255]).toLowerCase()}function le(i,t,e){return Math.max(t,Math.min(e,i))}function Rd(i,t){return(i%t+t)%t}function Rb(i,t,e,n,s){return n+(i-t)*(s-n)/(e-t)}function Pb(i,t,e){return i!==t?(e-i)/(t-i):0}function La(i,t,e){return(1-e)*i+e*t}function Ib(i,t,e,n){return La(i,t,1-Math.exp(-e*n))}function Lb(i,t=1){return t-Math.abs(Rd(i,t*2)-t)}function Db(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*(3-2*i))}function Nb(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*i*(i*(i*6-15)+10))}function Ub(i,t){return i+Math.floor(Math.random()*(t-i+1))}function Fb(i,t){return i+Math.random()*(t-i)}function Ob(i){return i*(.5-Math.random())}function Bb(i){i!==void 0&&(ag=i);let t=ag+=1831565813;return t=Math.imul(t^t>>>15,t|1),t^=t+Math.imul(t^t>>>7,t|61),((t^t>>>14)>>>0)/4294967296}function zb(i){return i*Ia}function kb(i){return i*No}function Gb(i){return i>0&&Number.isInteger(i)&&2**Math.round(Math.log2(i))===i}function Vb(i){return Math.pow(2,Math.ceil(Math.log(i)/Math.LN2))}function Pd(i){return Math.pow(2,Math.floor(Math.log(i)/Math.LN2))}function Hb(i,t,e,n,s){let r=Math.cos,o=Math.sin,a=r(e/2),l=o(e/2),c=r((t+n)/2),h=o((t+n)/2),u=r((t-n)/2),f=o((t-n)/2),d=r((n-t)/2),p=o((n-t)/2);switch(s){case"XYX":i.set(a*h,l*u,l*f,a*c);break;case"YZY":i.set(l*f,a*h,l*u,a*c);break;case"ZXZ":i.set(l*u,l*f,a*h,a*c);break;case"XZX":i.set(a*h,l*p,l*d,a*c);break;case"YXY":i.set(l*d,a*h,l*p,a*c);break;case"ZYZ":i.set(l*p,l*d,a*h,a*c);break;default:qt("MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: "+s)}}function lu(i){switch(i.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function Id(i,t){if(t.constructor===Float32Array)return i;let e=lu(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(i/e,-1)}function Ld(i,t){if(t.constructor===Float32Array)return i;let e=lu(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(i*e)}var Dd={DEG2RAD:Ia,RAD2DEG:No,generateUUID:ur,clamp:le,euclideanModulo:Rd,mapLinear:Rb,inverseLerp:Pb,lerp:La,damp:Ib,pingpong:Lb,smoothstep:Db,smootherstep:Nb,randInt:Ub,randFloat:Fb,randFloatSpread:Ob,seededRandom:Bb,degToRad:zb,radToDeg:kb,isPowerOfTwo:Gb,ceilPowerOfTwo:Vb,floorPowerOfTwo:Pd,setQuaternionFromProperEuler:Hb,normalize:Ld,denormalize:Id},Bd=class Bd{constructor(t=0,e=0){this.x=t,this.y=e}get width(){return this.x}set width(t){this.x=t}get height(){return this.y}set height(t){this.y=t}set(t,e){return this.x=t,this.y=e,this}setScalar(t){return this.x=t,this.y=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;default:throw new Error("THREE.Vector2: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y)}copy(t){return this.x=t.x,this.y=t.y,this}add(t){return this.x+=t.x,this.y+=t.y,this}addScalar(t){return this.x+=t,this.y+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this}subScalar(t){return this.x-=t,this.y-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this}multiply(t){return this.x*=t.x,this.y*=t.y,this}multiplyScalar(t){return this.x*=t,this.y*=t,this}divide(t){return this.x/=t.x,this.y/=t.y,this}divideScalar(t){return this.multiplyScalar(1/t)}applyMatrix3(t){let e=this.x,n=this.y,s=t.elements;return this.x=s[0]*e+s[3]*n+s[6],this.y=s[1]*e+s[4]*n+s[7],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this}clamp(t,e){return this.x=le(this.x,t.x,e.x),this.y=le(this.y,t.y,e.y),this}clampScalar(t,e){return this.x=le(this.x,t,e),this.y=le(this.y,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(le(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(t){return this.x*t.x+this.y*t.y}cross(t){return this.x*t.y-this.y*t.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(le(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y;return e*e+n*n}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this}equals(t){return t.x===this.x&&t.y===this.y}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this}rotateAround(t,e){let n=Math.cos(e),s=Math.sin(e),r=this.x-t.x,o=this.y-t.y;return this.x=r*n-o*s+t.x,this.y=r*s+o*n+t.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}};Bd.prototype.isVector2=!0;var Zt=Bd,Li=class{constructor(t=0,e=0,n=0,s=1){this.isQuaternion=!0,this._x=t,this._y=e,this._z=n,this._w=s}static slerpFlat(t,e,n,s,r,o,a){let l=n[s+0],c=n[s+1],h=n[s+2],u=n[s+3],f=r[o+0],d=r[o+1],p=r[o+2],x=r[o+3];if(u!==x||l!==f||c!==d||h!==p){let m=l*f+c*d+h*p+u*x;m<0&&(f=-f,d=-d,p=-p,x=-x,m=-m);let g=1-a;if(m<.9995){let b=Math.acos(m),S=Math.sin(b);g=Math.sin(g*b)/S,a=Math.sin(a*b)/S,l=l*g+f*a,c=c*g+d*a,h=h*g+p*a,u=u*g+x*a}else{l=l*g+f*a,c=c*g+d*a,h=h*g+p*a,u=u*g+x*a;let b=1/Math.sqrt(l*l+c*c+h*h+u*u);l*=b,c*=b,h*=b,u*=b}}t[e]=l,t[e+1]=c,t[e+2]=h,t[e+3]=u}static multiplyQuaternionsFlat(t,e,n,s,r,o){let a=n[s],l=n[s+1],c=n[s+2],h=n[s+3],u=r[o],f=r[o+1],d=r[o+2],p=r[o+3];return t[e]=a*p+h*u+l*d-c*f,t[e+1]=l*p+h*f+c*u-a*d,t[e+2]=c*p+h*d+a*f-l*u,t[e+3]=h*p-a*u-l*f-c*d,t}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get w(){return this._w}set w(t){this._w=t,this._onChangeCallback()}set(t,e,n,s){return this._x=t,this._y=e,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(t){return this._x=t.x,this._y=t.y,this._z=t.z,this._w=t.w,this._onChangeCallback(),this}setFromEuler(t,e=!0){let n=t._x,s=t._y,r=t._z,o=t._order,a=Math.cos,l=Math.sin,c=a(n/2),h=a(s/2),u=a(r/2),f=l(n/2),d=l(s/2),p=l(r/2);switch(o){case"XYZ":this._x=f*h*u+c*d*p,this._y=c*d*u-f*h*p,this._z=c*h*p+f*d*u,this._w=c*h*u-f*d*p;break;case"YXZ":this._x=f*h*u+c*d*p,this._y=c*d*u-f*h*p,this._z=c*h*p-f*d*u,this._w=c*h*u+f*d*p;break;case"ZXY":this._x=f*h*u-c*d*p,this._y=c*d*u+f*h*p,this._z=c*h*p+f*d*u,this._w=c*h*u-f*d*p;break;case"ZYX":this._x=f*h*u-c*d*p,this._y=c*d*u+f*h*p,this._z=c*h*p-f*d*u,this._w=c*h*u+f*d*p;break;case"YZX":this._x=f*h*u+c*d*p,this._y=c*d*u+f*h*p,this._z=c*h*p-f*d*u,this._w=c*h*u-f*d*p;break;case"XZY":this._x=f*h*u-c*d*p,this._y=c*d*u-f*h*p,this._z=c*h*p+f*d*u,this._w=c*h*u+f*d*p;break;default:qt("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return e===!0&&this._onChangeCallback(),this}setFromAxisAngle(t,e){let n=e/2,s=Math.sin(n);return this._x=t.x*s,this._y=t.y*s,this._z=t.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(t){let e=t.elements,n=e[0],s=e[4],r=e[8],o=e[1],a=e[5],l=e[9],c=e[2],h=e[6],u=e[10],f=n+a+u;if(f>0){let d=.5/Math.sqrt(f+1);this._w=.25/d,this._x=(h-l)*d,this._y=(r-c)*d,this._z=(o-s)*d}else if(n>a&&n>u){let d=2*Math.sqrt(1+n-a-u);this._w=(h-l)/d,this._x=.25*d,this._y=(s+o)/d,this._z=(r+c)/d}else if(a>u){let d=2*Math.sqrt(1+a-n-u);this._w=(r-c)/d,this._x=(s+o)/d,this._y=.25*d,this._z=(l+h)/d}else{let d=2*Math.sqrt(1+u-n-a);this._w=(o-s)/d,this._x=(r+c)/d,this._y=(l+h)/d,this._z=.25*d}return this._onChangeCallback(),this}setFromUnitVectors(t,e){let n=t.dot(e)+1;return n<1e-8?(n=0,Math.abs(t.x)>Math.abs(t.z)?(this._x=-t.y,this._y=t.x,this._z=0,this._w=n):(this._x=0,this._y=-t.z,this._z=t.y,this._w=n)):(this._x=t.y*e.z-t.z*e.y,this._y=t.z*e.x-t.x*e.z,this._z=t.x*e.y-t.y*e.x,this._w=n),this.normalize()}angleTo(t){return 2*Math.acos(Math.abs(le(this.dot(t),-1,1)))}rotateTowards(t,e){let n=this.angleTo(t);if(n===0)return this;let s=Math.min(1,e/n);return this.slerp(t,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(t){return this._x*t._x+this._y*t._y+this._z*t._z+this._w*t._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let t=this.length();return t===0?(this._x=0,this._y=0,this._z=0,this._w=1):(t=1/t,this._x=this._x*t,this._y=this._y*t,this._z=this._z*t,this._w=this._w*t),this._onChangeCallback(),this}multiply(t){return this.multiplyQuaternions(this,t)}premultiply(t){return this.multiplyQuaternions(t,this)}multiplyQuaternions(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=e._x,l=e._y,c=e._z,h=e._w;return this._x=n*h+o*a+s*c-r*l,this._y=s*h+o*l+r*a-n*c,this._z=r*h+o*c+n*l-s*a,this._w=o*h-n*a-s*l-r*c,this._onChangeCallback(),this}slerp(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=this.dot(t);a<0&&(n=-n,s=-s,r=-r,o=-o,a=-a);let l=1-e;if(a<.9995){let c=Math.acos(a),h=Math.sin(c);l=Math.sin(l*c)/h,e=Math.sin(e*c)/h,this._x=this._x*l+n*e,this._y=this._y*l+s*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this._onChangeCallback()}else this._x=this._x*l+n*e,this._y=this._y*l+s*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this.normalize();return this}slerpQuaternions(t,e,n){return this.copy(t).slerp(e,n)}random(){let t=2*Math.PI*Math.random(),e=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(t),s*Math.cos(t),r*Math.sin(e),r*Math.cos(e))}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._w===this._w}fromArray(t,e=0){return this._x=t[e],this._y=t[e+1],this._z=t[e+2],this._w=t[e+3],this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._w,t}fromBufferAttribute(t,e){return this._x=t.getX(e),this._y=t.getY(e),this._z=t.getZ(e),this._w=t.getW(e),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},zd=class zd{constructor(t=0,e=0,n=0){this.x=t,this.y=e,this.z=n}set(t,e,n){return n===void 0&&(n=this.z),this.x=t,this.y=e,this.z=n,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;default:throw new Error("THREE.Vector3: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this}multiplyVectors(t,e){return this.x=t.x*e.x,this.y=t.y*e.y,this.z=t.z*e.z,this}applyEuler(t){return this.applyQuaternion(lg.setFromEuler(t))}applyAxisAngle(t,e){return this.applyQuaternion(lg.setFromAxisAngle(t,e))}applyMatrix3(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[3]*n+r[6]*s,this.y=r[1]*e+r[4]*n+r[7]*s,this.z=r[2]*e+r[5]*n+r[8]*s,this}applyNormalMatrix(t){return this.applyMatrix3(t).normalize()}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=t.elements,o=1/(r[3]*e+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*e+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*e+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*e+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(t){let e=this.x,n=this.y,s=this.z,r=t.x,o=t.y,a=t.z,l=t.w,c=2*(o*s-a*n),h=2*(a*e-r*s),u=2*(r*n-o*e);return this.x=e+l*c+o*u-a*h,this.y=n+l*h+a*c-r*u,this.z=s+l*u+r*h-o*c,this}project(t){return this.applyMatrix4(t.matrixWorldInverse).applyMatrix4(t.projectionMatrix)}unproject(t){return this.applyMatrix4(t.projectionMatrixInverse).applyMatrix4(t.matrixWorld)}transformDirection(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[4]*n+r[8]*s,this.y=r[1]*e+r[5]*n+r[9]*s,this.z=r[2]*e+r[6]*n+r[10]*s,this.normalize()}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this}divideScalar(t){return this.multiplyScalar(1/t)}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this}clamp(t,e){return this.x=le(this.x,t.x,e.x),this.y=le(this.y,t.y,e.y),this.z=le(this.z,t.z,e.z),this}clampScalar(t,e){return this.x=le(this.x,t,e),this.y=le(this.y,t,e),this.z=le(this.z,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(le(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this}cross(t){return this.crossVectors(this,t)}crossVectors(t,e){let n=t.x,s=t.y,r=t.z,o=e.x,a=e.y,l=e.z;return this.x=s*l-r*a,this.y=r*o-n*l,this.z=n*a-s*o,this}projectOnVector(t){let e=t.lengthSq();if(e===0)return this.set(0,0,0);let n=t.dot(this)/e;return this.copy(t).multiplyScalar(n)}projectOnPlane(t){return Rf.copy(this).projectOnVector(t),this.sub(Rf)}reflect(t){return this.sub(Rf.copy(t).multiplyScalar(2*this.dot(t)))}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(le(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y,s=this.z-t.z;return e*e+n*n+s*s}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)+Math.abs(this.z-t.z)}setFromSpherical(t){return this.setFromSphericalCoords(t.radius,t.phi,t.theta)}setFromSphericalCoords(t,e,n){let s=Math.sin(e)*t;return this.x=s*Math.sin(n),this.y=Math.cos(e)*t,this.z=s*Math.cos(n),this}setFromCylindrical(t){return this.setFromCylindricalCoords(t.radius,t.theta,t.y)}setFromCylindricalCoords(t,e,n){return this.x=t*Math.sin(e),this.y=n,this.z=t*Math.cos(e),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this}setFromMatrixScale(t){let e=this.setFromMatrixColumn(t,0).length(),n=this.setFromMatrixColumn(t,1).length(),s=this.setFromMatrixColumn(t,2).length();return this.x=e,this.y=n,this.z=s,this}setFromMatrixColumn(t,e){return this.fromArray(t.elements,e*4)}setFromMatrix3Column(t,e){return this.fromArray(t.elements,e*3)}setFromEuler(t){return this.x=t._x,this.y=t._y,this.z=t._z,this}setFromColor(t){return this.x=t.r,this.y=t.g,this.z=t.b,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let t=Math.random()*Math.PI*2,e=Math.random()*2-1,n=Math.sqrt(1-e*e);return this.x=n*Math.cos(t),this.y=e,this.z=n*Math.sin(t),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}};zd.prototype.isVector3=!0;var G=zd,Rf=new G,lg=new Li,kd=class kd{constructor(t,e,n,s,r,o,a,l,c){this.elements=[1,0,0,0,1,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c)}set(t,e,n,s,r,o,a,l,c){let h=this.elements;return h[0]=t,h[1]=s,h[2]=a,h[3]=e,h[4]=r,h[5]=l,h[6]=n,h[7]=o,h[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],this}extractBasis(t,e,n){return t.setFromMatrix3Column(this,0),e.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(t){let e=t.elements;return this.set(e[0],e[4],e[8],e[1],e[5],e[9],e[2],e[6],e[10]),this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[3],l=n[6],c=n[1],h=n[4],u=n[7],f=n[2],d=n[5],p=n[8],x=s[0],m=s[3],g=s[6],b=s[1],S=s[4],y=s[7],C=s[2],E=s[5],_=s[8];return r[0]=o*x+a*b+l*C,r[3]=o*m+a*S+l*E,r[6]=o*g+a*y+l*_,r[1]=c*x+h*b+u*C,r[4]=c*m+h*S+u*E,r[7]=c*g+h*y+u*_,r[2]=f*x+d*b+p*C,r[5]=f*m+d*S+p*E,r[8]=f*g+d*y+p*_,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[3]*=t,e[6]*=t,e[1]*=t,e[4]*=t,e[7]*=t,e[2]*=t,e[5]*=t,e[8]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8];return e*o*h-e*a*c-n*r*h+n*a*l+s*r*c-s*o*l}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],u=h*o-a*c,f=a*l-h*r,d=c*r-o*l,p=e*u+n*f+s*d;if(p===0)return this.set(0,0,0,0,0,0,0,0,0);let x=1/p;return t[0]=u*x,t[1]=(s*c-h*n)*x,t[2]=(a*n-s*o)*x,t[3]=f*x,t[4]=(h*e-s*l)*x,t[5]=(s*r-a*e)*x,t[6]=d*x,t[7]=(n*l-c*e)*x,t[8]=(o*e-n*r)*x,this}transpose(){let t,e=this.elements;return t=e[1],e[1]=e[3],e[3]=t,t=e[2],e[2]=e[6],e[6]=t,t=e[5],e[5]=e[7],e[7]=t,this}getNormalMatrix(t){return this.setFromMatrix4(t).invert().transpose()}transposeIntoArray(t){let e=this.elements;return t[0]=e[0],t[1]=e[3],t[2]=e[6],t[3]=e[1],t[4]=e[4],t[5]=e[7],t[6]=e[2],t[7]=e[5],t[8]=e[8],this}setUvTransform(t,e,n,s,r,o,a){let l=Math.cos(r),c=Math.sin(r);return this.set(n*l,n*c,-n*(l*o+c*a)+o+t,-s*c,s*l,-s*(-c*o+l*a)+a+e,0,0,1),this}scale(t,e){return Pa("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(Pf.makeScale(t,e)),this}rotate(t){return Pa("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(Pf.makeRotation(-t)),this}translate(t,e){return Pa("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(Pf.makeTranslation(t,e)),this}makeTranslation(t,e){return t.isVector2?this.set(1,0,t.x,0,1,t.y,0,0,1):this.set(1,0,t,0,1,e,0,0,1),this}makeRotation(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,n,e,0,0,0,1),this}makeScale(t,e){return this.set(t,0,0,0,e,0,0,0,1),this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<9;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<9;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t}clone(){return new this.constructor().fromArray(this.elements)}};kd.prototype.isMatrix3=!0;var ee=kd,Pf=new ee,cg=new ee().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),hg=new ee().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function Wb(){let i={enabled:!0,workingColorSpace:$n,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===Ce&&(s.r=Ps(s.r),s.g=Ps(s.g),s.b=Ps(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===Ce&&(s.r=Ro(s.r),s.g=Ro(s.g),s.b=Ro(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===Bs?Na:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],e=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[$n]:{primaries:t,whitePoint:n,transfer:Na,toXYZ:cg,fromXYZ:hg,luminanceCoefficients:e,workingColorSpaceConfig:{unpackColorSpace:bi},outputColorSpaceConfig:{drawingBufferColorSpace:bi}},[bi]:{primaries:t,whitePoint:n,transfer:Ce,toXYZ:cg,fromXYZ:hg,luminanceCoefficients:e,outputColorSpaceConfig:{drawingBufferColorSpace:bi}}}),i}var _e=Wb();function Ps(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function Ro(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}var lo,$c=class{static getDataURL(t,e="image/png"){if(/^data:/i.test(t.src)||typeof HTMLCanvasElement>"u")return t.src;let n;if(t instanceof HTMLCanvasElement)n=t;else{lo===void 0&&(lo=Ua("canvas")),lo.width=t.width,lo.height=t.height;let s=lo.getContext("2d");t instanceof ImageData?s.putImageData(t,0,0):s.drawImage(t,0,0,t.width,t.height),n=lo}return n.toDataURL(e)}static sRGBToLinear(t){if(typeof HTMLImageElement<"u"&&t instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&t instanceof ImageBitmap){let e=Ua("canvas");e.width=t.width,e.height=t.height;let n=e.getContext("2d");n.drawImage(t,0,0,t.width,t.height);let s=n.getImageData(0,0,t.width,t.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=Ps(r[o]/255)*255;return n.putImageData(s,0,0),e}else if(t.data){let e=t.data.slice(0);for(let n=0;n<e.length;n++)e instanceof Uint8Array||e instanceof Uint8ClampedArray?e[n]=Math.floor(Ps(e[n]/255)*255):e[n]=Ps(e[n]);return{data:e,width:t.width,height:t.height}}else return qt("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),t}},Xb=0,Uo=class{constructor(t=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:Xb++}),this.uuid=ur(),this.data=t,this.dataReady=!0,this.version=0}getSize(t){let e=this.data;return typeof HTMLVideoElement<"u"&&e instanceof HTMLVideoElement?t.set(e.videoWidth,e.videoHeight,0):typeof VideoFrame<"u"&&e instanceof VideoFrame?t.set(e.displayWidth,e.displayHeight,0):e!==null?t.set(e.width||0,e.height||0,e.depth||0):t.set(0,0,0),t}set needsUpdate(t){t===!0&&this.version++}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.images[this.uuid]!==void 0)return t.images[this.uuid];let n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(If(s[o].image)):r.push(If(s[o]))}else r=If(s);n.url=r}return e||(t.images[this.uuid]=n),n}};function If(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?$c.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(qt("Texture: Unable to serialize Texture."),{})}var qb=0,Lf=new G,oi=class i extends cs{constructor(t=i.DEFAULT_IMAGE,e=i.DEFAULT_MAPPING,n=ls,s=ls,r=ri,o=Fs,a=Zi,l=di,c=i.DEFAULT_ANISOTROPY,h=Bs){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:qb++}),this.uuid=ur(),this.name="",this.source=new Uo(t),this.mipmaps=[],this.mapping=e,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=c,this.format=a,this.internalFormat=null,this.type=l,this.offset=new Zt(0,0),this.repeat=new Zt(1,1),this.center=new Zt(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new ee,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(Lf).x}get height(){return this.source.getSize(Lf).y}get depth(){return this.source.getSize(Lf).z}get image(){return this.source.data}set image(t){this.source.data=t}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(t){return this.name=t.name,this.source=t.source,this.mipmaps=t.mipmaps.slice(0),this.mapping=t.mapping,this.channel=t.channel,this.wrapS=t.wrapS,this.wrapT=t.wrapT,this.magFilter=t.magFilter,this.minFilter=t.minFilter,this.anisotropy=t.anisotropy,this.format=t.format,this.internalFormat=t.internalFormat,this.type=t.type,this.normalized=t.normalized,this.offset.copy(t.offset),this.repeat.copy(t.repeat),this.center.copy(t.center),this.rotation=t.rotation,this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrix.copy(t.matrix),this.generateMipmaps=t.generateMipmaps,this.mipmapsAutoUpdate=t.mipmapsAutoUpdate,this.premultiplyAlpha=t.premultiplyAlpha,this.flipY=t.flipY,this.unpackAlignment=t.unpackAlignment,this.colorSpace=t.colorSpace,this.renderTarget=t.renderTarget,this.isRenderTargetTexture=t.isRenderTargetTexture,this.isPMREMTexture=t.isPMREMTexture,this.isArrayTexture=t.isArrayTexture,this.userData=JSON.parse(JSON.stringify(t.userData)),this.needsUpdate=!0,this}setValues(t){for(let e in t){let n=t[e];if(n===void 0){qt(`Texture.setValues(): parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){qt(`Texture.setValues(): property '${e}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.textures[this.uuid]!==void 0)return t.textures[this.uuid];let n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(t).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),e||(t.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(t){if(this.mapping!==xd)return t;if(t.applyMatrix3(this.matrix),t.x<0||t.x>1)switch(this.wrapS){case Xc:t.x=t.x-Math.floor(t.x);break;case ls:t.x=t.x<0?0:1;break;case qc:Math.abs(Math.floor(t.x)%2)===1?t.x=Math.ceil(t.x)-t.x:t.x=t.x-Math.floor(t.x);break}if(t.y<0||t.y>1)switch(this.wrapT){case Xc:t.y=t.y-Math.floor(t.y);break;case ls:t.y=t.y<0?0:1;break;case qc:Math.abs(Math.floor(t.y)%2)===1?t.y=Math.ceil(t.y)-t.y:t.y=t.y-Math.floor(t.y);break}return this.flipY&&(t.y=1-t.y),t}set needsUpdate(t){t===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(t){t===!0&&this.pmremVersion++}};oi.DEFAULT_IMAGE=null;oi.DEFAULT_MAPPING=xd;oi.DEFAULT_ANISOTROPY=1;var Gd=class Gd{constructor(t=0,e=0,n=0,s=1){this.x=t,this.y=e,this.z=n,this.w=s}get width(){return this.z}set width(t){this.z=t}get height(){return this.w}set height(t){this.w=t}set(t,e,n,s){return this.x=t,this.y=e,this.z=n,this.w=s,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this.w=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setW(t){return this.w=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;case 3:this.w=e;break;default:throw new Error("THREE.Vector4: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this.w=t.w!==void 0?t.w:1,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this.w+=t.w,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this.w+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this.w=t.w+e.w,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this.w+=t.w*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this.w-=t.w,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this.w-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this.w=t.w-e.w,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this.w*=t.w,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this.w*=t,this}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=this.w,o=t.elements;return this.x=o[0]*e+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*e+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*e+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*e+o[7]*n+o[11]*s+o[15]*r,this}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this.w/=t.w,this}divideScalar(t){return this.multiplyScalar(1/t)}setAxisAngleFromQuaternion(t){this.w=2*Math.acos(t.w);let e=Math.sqrt(1-t.w*t.w);return e<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=t.x/e,this.y=t.y/e,this.z=t.z/e),this}setAxisAngleFromRotationMatrix(t){let e,n,s,r,l=t.elements,c=l[0],h=l[4],u=l[8],f=l[1],d=l[5],p=l[9],x=l[2],m=l[6],g=l[10];if(Math.abs(h-f)<.01&&Math.abs(u-x)<.01&&Math.abs(p-m)<.01){if(Math.abs(h+f)<.1&&Math.abs(u+x)<.1&&Math.abs(p+m)<.1&&Math.abs(c+d+g-3)<.1)return this.set(1,0,0,0),this;e=Math.PI;let S=(c+1)/2,y=(d+1)/2,C=(g+1)/2,E=(h+f)/4,_=(u+x)/4,A=(p+m)/4;return S>y&&S>C?S<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(S),s=E/n,r=_/n):y>C?y<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(y),n=E/s,r=A/s):C<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(C),n=_/r,s=A/r),this.set(n,s,r,e),this}let b=Math.sqrt((m-p)*(m-p)+(u-x)*(u-x)+(f-h)*(f-h));return Math.abs(b)<.001&&(b=1),this.x=(m-p)/b,this.y=(u-x)/b,this.z=(f-h)/b,this.w=Math.acos((c+d+g-1)/2),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this.w=e[15],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this.w=Math.min(this.w,t.w),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this.w=Math.max(this.w,t.w),this}clamp(t,e){return this.x=le(this.x,t.x,e.x),this.y=le(this.y,t.y,e.y),this.z=le(this.z,t.z,e.z),this.w=le(this.w,t.w,e.w),this}clampScalar(t,e){return this.x=le(this.x,t,e),this.y=le(this.y,t,e),this.z=le(this.z,t,e),this.w=le(this.w,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(le(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z+this.w*t.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this.w+=(t.w-this.w)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this.w=t.w+(e.w-t.w)*n,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z&&t.w===this.w}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this.w=t[e+3],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t[e+3]=this.w,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this.w=t.getW(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}};Gd.prototype.isVector4=!0;var Me=Gd,Zc=class extends cs{constructor(t=1,e=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:ri,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=t,this.height=e,this.depth=n.depth,this.scissor=new Me(0,0,t,e),this.scissorTest=!1,this.viewport=new Me(0,0,t,e),this.textures=[];let s=n.count;for(let r=0;r<s;r++)this.textures[r]=new oi({width:t,height:e,depth:n.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(t={}){let e={minFilter:ri,generateMipmaps:!1,flipY:!1,internalFormat:null};t.mapping!==void 0&&(e.mapping=t.mapping),t.wrapS!==void 0&&(e.wrapS=t.wrapS),t.wrapT!==void 0&&(e.wrapT=t.wrapT),t.wrapR!==void 0&&(e.wrapR=t.wrapR),t.magFilter!==void 0&&(e.magFilter=t.magFilter),t.minFilter!==void 0&&(e.minFilter=t.minFilter),t.format!==void 0&&(e.format=t.format),t.type!==void 0&&(e.type=t.type),t.anisotropy!==void 0&&(e.anisotropy=t.anisotropy),t.colorSpace!==void 0&&(e.colorSpace=t.colorSpace),t.flipY!==void 0&&(e.flipY=t.flipY),t.generateMipmaps!==void 0&&(e.generateMipmaps=t.generateMipmaps),t.mipmapsAutoUpdate!==void 0&&(e.mipmapsAutoUpdate=t.mipmapsAutoUpdate),t.internalFormat!==void 0&&(e.internalFormat=t.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(e)}get texture(){return this.textures[0]}set texture(t){this.textures[0]=t}set depthTexture(t){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),t!==null&&t.renderTarget===null&&(t.renderTarget=this),this._depthTexture=t}get depthTexture(){return this._depthTexture}setSize(t,e,n=1){if(this.width!==t||this.height!==e||this.depth!==n){this.width=t,this.height=e,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=t,this.textures[s].image.height=e,this.textures[s].image.depth=n,this.textures[s].isData3DTexture!==!0&&(this.textures[s].isArrayTexture=this.textures[s].image.depth>1);this.dispose()}this.viewport.set(0,0,t,e),this.scissor.set(0,0,t,e)}clone(){return new this.constructor().copy(this)}copy(t){this.width=t.width,this.height=t.height,this.depth=t.depth,this.scissor.copy(t.scissor),this.scissorTest=t.scissorTest,this.viewport.copy(t.viewport),this.textures.length=0;for(let e=0,n=t.textures.length;e<n;e++){this.textures[e]=t.textures[e].clone(),this.textures[e].isRenderTargetTexture=!0,this.textures[e].renderTarget=this;let s=Object.assign({},t.textures[e].image);this.textures[e].source=new Uo(s)}if(this.depthBuffer=t.depthBuffer,this.stencilBuffer=t.stencilBuffer,this.resolveColorBuffer=t.resolveColorBuffer,this.resolveDepthBuffer=t.resolveDepthBuffer,this.resolveStencilBuffer=t.resolveStencilBuffer,this.storeMultisampledColorBuffer=t.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=t.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=t.storeMultisampledStencilBuffer,t.depthTexture!==null)if(t.depthTexture.renderTarget===t){let e=t.depthTexture.clone();e.renderTarget=null,this.depthTexture=e}else this.depthTexture=t.depthTexture;else this.depthTexture=null;return this.samples=t.samples,this.multiview=t.multiview,this.useArrayDepthTexture=t.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},Mi=class extends Zc{constructor(t=1,e=1,n={}){super(t,e,n),this.isWebGLRenderTarget=!0}},Oa=class extends oi{constructor(t=null,e=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Fn,this.minFilter=Fn,this.wrapR=ls,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}addLayerUpdate(t){this.layerUpdates.add(t)}clearLayerUpdates(){this.layerUpdates.clear()}};var Jc=class extends oi{constructor(t=null,e=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Fn,this.minFilter=Fn,this.wrapR=ls,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}};var _h=class _h{constructor(t,e,n,s,r,o,a,l,c,h,u,f,d,p,x,m){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c,h,u,f,d,p,x,m)}set(t,e,n,s,r,o,a,l,c,h,u,f,d,p,x,m){let g=this.elements;return g[0]=t,g[4]=e,g[8]=n,g[12]=s,g[1]=r,g[5]=o,g[9]=a,g[13]=l,g[2]=c,g[6]=h,g[10]=u,g[14]=f,g[3]=d,g[7]=p,g[11]=x,g[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new _h().fromArray(this.elements)}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],e[9]=n[9],e[10]=n[10],e[11]=n[11],e[12]=n[12],e[13]=n[13],e[14]=n[14],e[15]=n[15],this}copyPosition(t){let e=this.elements,n=t.elements;return e[12]=n[12],e[13]=n[13],e[14]=n[14],this}setFromMatrix3(t){let e=t.elements;return this.set(e[0],e[3],e[6],0,e[1],e[4],e[7],0,e[2],e[5],e[8],0,0,0,0,1),this}extractBasis(t,e,n){return this.determinantAffine()===0?(t.set(1,0,0),e.set(0,1,0),n.set(0,0,1),this):(t.setFromMatrixColumn(this,0),e.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(t,e,n){return this.set(t.x,e.x,n.x,0,t.y,e.y,n.y,0,t.z,e.z,n.z,0,0,0,0,1),this}extractRotation(t){if(t.determinantAffine()===0)return this.identity();let e=this.elements,n=t.elements,s=1/co.setFromMatrixColumn(t,0).length(),r=1/co.setFromMatrixColumn(t,1).length(),o=1/co.setFromMatrixColumn(t,2).length();return e[0]=n[0]*s,e[1]=n[1]*s,e[2]=n[2]*s,e[3]=0,e[4]=n[4]*r,e[5]=n[5]*r,e[6]=n[6]*r,e[7]=0,e[8]=n[8]*o,e[9]=n[9]*o,e[10]=n[10]*o,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromEuler(t){let e=this.elements,n=t.x,s=t.y,r=t.z,o=Math.cos(n),a=Math.sin(n),l=Math.cos(s),c=Math.sin(s),h=Math.cos(r),u=Math.sin(r);if(t.order==="XYZ"){let f=o*h,d=o*u,p=a*h,x=a*u;e[0]=l*h,e[4]=-l*u,e[8]=c,e[1]=d+p*c,e[5]=f-x*c,e[9]=-a*l,e[2]=x-f*c,e[6]=p+d*c,e[10]=o*l}else if(t.order==="YXZ"){let f=l*h,d=l*u,p=c*h,x=c*u;e[0]=f+x*a,e[4]=p*a-d,e[8]=o*c,e[1]=o*u,e[5]=o*h,e[9]=-a,e[2]=d*a-p,e[6]=x+f*a,e[10]=o*l}else if(t.order==="ZXY"){let f=l*h,d=l*u,p=c*h,x=c*u;e[0]=f-x*a,e[4]=-o*u,e[8]=p+d*a,e[1]=d+p*a,e[5]=o*h,e[9]=x-f*a,e[2]=-o*c,e[6]=a,e[10]=o*l}else if(t.order==="ZYX"){let f=o*h,d=o*u,p=a*h,x=a*u;e[0]=l*h,e[4]=p*c-d,e[8]=f*c+x,e[1]=l*u,e[5]=x*c+f,e[9]=d*c-p,e[2]=-c,e[6]=a*l,e[10]=o*l}else if(t.order==="YZX"){let f=o*l,d=o*c,p=a*l,x=a*c;e[0]=l*h,e[4]=x-f*u,e[8]=p*u+d,e[1]=u,e[5]=o*h,e[9]=-a*h,e[2]=-c*h,e[6]=d*u+p,e[10]=f-x*u}else if(t.order==="XZY"){let f=o*l,d=o*c,p=a*l,x=a*c;e[0]=l*h,e[4]=-u,e[8]=c*h,e[1]=f*u+x,e[5]=o*h,e[9]=d*u-p,e[2]=p*u-d,e[6]=a*h,e[10]=x*u+f}return e[3]=0,e[7]=0,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromQuaternion(t){return this.compose(Yb,t,$b)}lookAt(t,e,n){let s=this.elements;return vi.subVectors(t,e),vi.lengthSq()===0&&(vi.z=1),vi.normalize(),Js.crossVectors(n,vi),Js.lengthSq()===0&&(Math.abs(n.z)===1?vi.x+=1e-4:vi.z+=1e-4,vi.normalize(),Js.crossVectors(n,vi)),Js.normalize(),lc.crossVectors(vi,Js),s[0]=Js.x,s[4]=lc.x,s[8]=vi.x,s[1]=Js.y,s[5]=lc.y,s[9]=vi.y,s[2]=Js.z,s[6]=lc.z,s[10]=vi.z,this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[4],l=n[8],c=n[12],h=n[1],u=n[5],f=n[9],d=n[13],p=n[2],x=n[6],m=n[10],g=n[14],b=n[3],S=n[7],y=n[11],C=n[15],E=s[0],_=s[4],A=s[8],B=s[12],U=s[1],N=s[5],k=s[9],W=s[13],L=s[2],X=s[6],Z=s[10],V=s[14],lt=s[3],Y=s[7],Q=s[11],it=s[15];return r[0]=o*E+a*U+l*L+c*lt,r[4]=o*_+a*N+l*X+c*Y,r[8]=o*A+a*k+l*Z+c*Q,r[12]=o*B+a*W+l*V+c*it,r[1]=h*E+u*U+f*L+d*lt,r[5]=h*_+u*N+f*X+d*Y,r[9]=h*A+u*k+f*Z+d*Q,r[13]=h*B+u*W+f*V+d*it,r[2]=p*E+x*U+m*L+g*lt,r[6]=p*_+x*N+m*X+g*Y,r[10]=p*A+x*k+m*Z+g*Q,r[14]=p*B+x*W+m*V+g*it,r[3]=b*E+S*U+y*L+C*lt,r[7]=b*_+S*N+y*X+C*Y,r[11]=b*A+S*k+y*Z+C*Q,r[15]=b*B+S*W+y*V+C*it,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[4]*=t,e[8]*=t,e[12]*=t,e[1]*=t,e[5]*=t,e[9]*=t,e[13]*=t,e[2]*=t,e[6]*=t,e[10]*=t,e[14]*=t,e[3]*=t,e[7]*=t,e[11]*=t,e[15]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[12],o=t[1],a=t[5],l=t[9],c=t[13],h=t[2],u=t[6],f=t[10],d=t[14],p=t[3],x=t[7],m=t[11],g=t[15],b=l*d-c*f,S=a*d-c*u,y=a*f-l*u,C=o*d-c*h,E=o*f-l*h,_=o*u-a*h;return e*(x*b-m*S+g*y)-n*(p*b-m*C+g*E)+s*(p*S-x*C+g*_)-r*(p*y-x*E+m*_)}determinantAffine(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[1],o=t[5],a=t[9],l=t[2],c=t[6],h=t[10];return e*(o*h-a*c)-n*(r*h-a*l)+s*(r*c-o*l)}transpose(){let t=this.elements,e;return e=t[1],t[1]=t[4],t[4]=e,e=t[2],t[2]=t[8],t[8]=e,e=t[6],t[6]=t[9],t[9]=e,e=t[3],t[3]=t[12],t[12]=e,e=t[7],t[7]=t[13],t[13]=e,e=t[11],t[11]=t[14],t[14]=e,this}setPosition(t,e,n){let s=this.elements;return t.isVector3?(s[12]=t.x,s[13]=t.y,s[14]=t.z):(s[12]=t,s[13]=e,s[14]=n),this}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],u=t[9],f=t[10],d=t[11],p=t[12],x=t[13],m=t[14],g=t[15],b=e*a-n*o,S=e*l-s*o,y=e*c-r*o,C=n*l-s*a,E=n*c-r*a,_=s*c-r*l,A=h*x-u*p,B=h*m-f*p,U=h*g-d*p,N=u*m-f*x,k=u*g-d*x,W=f*g-d*m,L=b*W-S*k+y*N+C*U-E*B+_*A;if(L===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let X=1/L;return t[0]=(a*W-l*k+c*N)*X,t[1]=(s*k-n*W-r*N)*X,t[2]=(x*_-m*E+g*C)*X,t[3]=(f*E-u*_-d*C)*X,t[4]=(l*U-o*W-c*B)*X,t[5]=(e*W-s*U+r*B)*X,t[6]=(m*y-p*_-g*S)*X,t[7]=(h*_-f*y+d*S)*X,t[8]=(o*k-a*U+c*A)*X,t[9]=(n*U-e*k-r*A)*X,t[10]=(p*E-x*y+g*b)*X,t[11]=(u*y-h*E-d*b)*X,t[12]=(a*B-o*N-l*A)*X,t[13]=(e*N-n*B+s*A)*X,t[14]=(x*S-p*C-m*b)*X,t[15]=(h*C-u*S+f*b)*X,this}scale(t){let e=this.elements,n=t.x,s=t.y,r=t.z;return e[0]*=n,e[4]*=s,e[8]*=r,e[1]*=n,e[5]*=s,e[9]*=r,e[2]*=n,e[6]*=s,e[10]*=r,e[3]*=n,e[7]*=s,e[11]*=r,this}getMaxScaleOnAxis(){let t=this.elements,e=t[0]*t[0]+t[1]*t[1]+t[2]*t[2],n=t[4]*t[4]+t[5]*t[5]+t[6]*t[6],s=t[8]*t[8]+t[9]*t[9]+t[10]*t[10];return Math.sqrt(Math.max(e,n,s))}makeTranslation(t,e,n){return t.isVector3?this.set(1,0,0,t.x,0,1,0,t.y,0,0,1,t.z,0,0,0,1):this.set(1,0,0,t,0,1,0,e,0,0,1,n,0,0,0,1),this}makeRotationX(t){let e=Math.cos(t),n=Math.sin(t);return this.set(1,0,0,0,0,e,-n,0,0,n,e,0,0,0,0,1),this}makeRotationY(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,0,n,0,0,1,0,0,-n,0,e,0,0,0,0,1),this}makeRotationZ(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,0,n,e,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(t,e){let n=Math.cos(e),s=Math.sin(e),r=1-n,o=t.x,a=t.y,l=t.z,c=r*o,h=r*a;return this.set(c*o+n,c*a-s*l,c*l+s*a,0,c*a+s*l,h*a+n,h*l-s*o,0,c*l-s*a,h*l+s*o,r*l*l+n,0,0,0,0,1),this}makeScale(t,e,n){return this.set(t,0,0,0,0,e,0,0,0,0,n,0,0,0,0,1),this}makeShear(t,e,n,s,r,o){return this.set(1,n,r,0,t,1,o,0,e,s,1,0,0,0,0,1),this}compose(t,e,n){let s=this.elements,r=e._x,o=e._y,a=e._z,l=e._w,c=r+r,h=o+o,u=a+a,f=r*c,d=r*h,p=r*u,x=o*h,m=o*u,g=a*u,b=l*c,S=l*h,y=l*u,C=n.x,E=n.y,_=n.z;return s[0]=(1-(x+g))*C,s[1]=(d+y)*C,s[2]=(p-S)*C,s[3]=0,s[4]=(d-y)*E,s[5]=(1-(f+g))*E,s[6]=(m+b)*E,s[7]=0,s[8]=(p+S)*_,s[9]=(m-b)*_,s[10]=(1-(f+x))*_,s[11]=0,s[12]=t.x,s[13]=t.y,s[14]=t.z,s[15]=1,this}decompose(t,e,n){let s=this.elements;t.x=s[12],t.y=s[13],t.z=s[14];let r=this.determinantAffine();if(r===0)return n.set(1,1,1),e.identity(),this;let o=co.set(s[0],s[1],s[2]).length(),a=co.set(s[4],s[5],s[6]).length(),l=co.set(s[8],s[9],s[10]).length();r<0&&(o=-o),Vi.copy(this);let c=1/o,h=1/a,u=1/l;return Vi.elements[0]*=c,Vi.elements[1]*=c,Vi.elements[2]*=c,Vi.elements[4]*=h,Vi.elements[5]*=h,Vi.elements[6]*=h,Vi.elements[8]*=u,Vi.elements[9]*=u,Vi.elements[10]*=u,e.setFromRotationMatrix(Vi),n.x=o,n.y=a,n.z=l,this}makePerspective(t,e,n,s,r,o,a=Ii,l=!1){let c=this.elements,h=2*r/(e-t),u=2*r/(n-s),f=(e+t)/(e-t),d=(n+s)/(n-s),p,x;if(l)p=r/(o-r),x=o*r/(o-r);else if(a===Ii)p=-(o+r)/(o-r),x=-2*o*r/(o-r);else if(a===Lo)p=-o/(o-r),x=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=f,c[12]=0,c[1]=0,c[5]=u,c[9]=d,c[13]=0,c[2]=0,c[6]=0,c[10]=p,c[14]=x,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(t,e,n,s,r,o,a=Ii,l=!1){let c=this.elements,h=2/(e-t),u=2/(n-s),f=-(e+t)/(e-t),d=-(n+s)/(n-s),p,x;if(l)p=1/(o-r),x=o/(o-r);else if(a===Ii)p=-2/(o-r),x=-(o+r)/(o-r);else if(a===Lo)p=-1/(o-r),x=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=0,c[12]=f,c[1]=0,c[5]=u,c[9]=0,c[13]=d,c[2]=0,c[6]=0,c[10]=p,c[14]=x,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<16;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<16;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t[e+9]=n[9],t[e+10]=n[10],t[e+11]=n[11],t[e+12]=n[12],t[e+13]=n[13],t[e+14]=n[14],t[e+15]=n[15],t}};_h.prototype.isMatrix4=!0;var ve=_h,co=new G,Vi=new ve,Yb=new G(0,0,0),$b=new G(1,1,1),Js=new G,lc=new G,vi=new G,ug=new ve,fg=new Li,Ls=class i{constructor(t=0,e=0,n=0,s=i.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=e,this._z=n,this._order=s}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get order(){return this._order}set order(t){this._order=t,this._onChangeCallback()}set(t,e,n,s=this._order){return this._x=t,this._y=e,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(t){return this._x=t._x,this._y=t._y,this._z=t._z,this._order=t._order,this._onChangeCallback(),this}setFromRotationMatrix(t,e=this._order,n=!0){let s=t.elements,r=s[0],o=s[4],a=s[8],l=s[1],c=s[5],h=s[9],u=s[2],f=s[6],d=s[10];switch(e){case"XYZ":this._y=Math.asin(le(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-h,d),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(f,c),this._z=0);break;case"YXZ":this._x=Math.asin(-le(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(a,d),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-u,r),this._z=0);break;case"ZXY":this._x=Math.asin(le(f,-1,1)),Math.abs(f)<.9999999?(this._y=Math.atan2(-u,d),this._z=Math.atan2(-o,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-le(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(f,d),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-o,c));break;case"YZX":this._z=Math.asin(le(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-h,c),this._y=Math.atan2(-u,r)):(this._x=0,this._y=Math.atan2(a,d));break;case"XZY":this._z=Math.asin(-le(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(f,c),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-h,d),this._y=0);break;default:qt("Euler: .setFromRotationMatrix() encountered an unknown order: "+e)}return this._order=e,n===!0&&this._onChangeCallback(),this}setFromQuaternion(t,e,n){return ug.makeRotationFromQuaternion(t),this.setFromRotationMatrix(ug,e,n)}setFromVector3(t,e=this._order){return this.set(t.x,t.y,t.z,e)}reorder(t){return fg.setFromEuler(this),this.setFromQuaternion(fg,t)}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._order===this._order}fromArray(t){return this._x=t[0],this._y=t[1],this._z=t[2],t[3]!==void 0&&(this._order=t[3]),this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._order,t}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};Ls.DEFAULT_ORDER="XYZ";var Ba=class{constructor(){this.mask=1}set(t){this.mask=(1<<t|0)>>>0}enable(t){this.mask|=1<<t|0}enableAll(){this.mask=-1}toggle(t){this.mask^=1<<t|0}disable(t){this.mask&=~(1<<t|0)}disableAll(){this.mask=0}test(t){return(this.mask&t.mask)!==0}isEnabled(t){return(this.mask&(1<<t|0))!==0}},Zb=0,dg=new G,ho=new Li,ws=new ve,cc=new G,ya=new G,Jb=new G,Kb=new Li,pg=new G(1,0,0),mg=new G(0,1,0),gg=new G(0,0,1),xg={type:"added"},jb={type:"removed"},uo={type:"childadded",child:null},Df={type:"childremoved",child:null},On=class i extends cs{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:Zb++}),this.uuid=ur(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=i.DEFAULT_UP.clone();let t=new G,e=new Ls,n=new Li,s=new G(1,1,1);function r(){n.setFromEuler(e,!1)}function o(){e.setFromQuaternion(n,void 0,!1)}e._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:e},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new ve},normalMatrix:{value:new ee}}),this.matrix=new ve,this.matrixWorld=new ve,this.matrixAutoUpdate=i.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=i.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new Ba,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(t){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(t),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(t){return this.quaternion.premultiply(t),this}setRotationFromAxisAngle(t,e){this.quaternion.setFromAxisAngle(t,e)}setRotationFromEuler(t){this.quaternion.setFromEuler(t,!0)}setRotationFromMatrix(t){this.quaternion.setFromRotationMatrix(t)}setRotationFromQuaternion(t){this.quaternion.copy(t)}rotateOnAxis(t,e){return ho.setFromAxisAngle(t,e),this.quaternion.multiply(ho),this}rotateOnWorldAxis(t,e){return ho.setFromAxisAngle(t,e),this.quaternion.premultiply(ho),this}rotateX(t){return this.rotateOnAxis(pg,t)}rotateY(t){return this.rotateOnAxis(mg,t)}rotateZ(t){return this.rotateOnAxis(gg,t)}translateOnAxis(t,e){return dg.copy(t).applyQuaternion(this.quaternion),this.position.add(dg.multiplyScalar(e)),this}translateX(t){return this.translateOnAxis(pg,t)}translateY(t){return this.translateOnAxis(mg,t)}translateZ(t){return this.translateOnAxis(gg,t)}localToWorld(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(this.matrixWorld)}worldToLocal(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(ws.copy(this.matrixWorld).invert())}lookAt(t,e,n){t.isVector3?cc.copy(t):cc.set(t,e,n);let s=this.parent;this.updateWorldMatrix(!0,!1),ya.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?ws.lookAt(ya,cc,this.up):ws.lookAt(cc,ya,this.up),this.quaternion.setFromRotationMatrix(ws),s&&(ws.extractRotation(s.matrixWorld),ho.setFromRotationMatrix(ws),this.quaternion.premultiply(ho.invert()))}add(t){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return t===this?(jt("Object3D.add: object can't be added as a child of itself.",t),this):(t&&t.isObject3D?(t.removeFromParent(),t.parent=this,this.children.push(t),t.dispatchEvent(xg),uo.child=t,this.dispatchEvent(uo),uo.child=null):jt("Object3D.add: object not an instance of THREE.Object3D.",t),this)}remove(t){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}let e=this.children.indexOf(t);return e!==-1&&(t.parent=null,this.children.splice(e,1),t.dispatchEvent(jb),Df.child=t,this.dispatchEvent(Df),Df.child=null),this}removeFromParent(){let t=this.parent;return t!==null&&t.remove(this),this}clear(){return this.remove(...this.children)}attach(t){return this.updateWorldMatrix(!0,!1),ws.copy(this.matrixWorld).invert(),t.parent!==null&&(t.parent.updateWorldMatrix(!0,!1),ws.multiply(t.parent.matrixWorld)),t.applyMatrix4(ws),t.removeFromParent(),t.parent=this,this.children.push(t),t.updateWorldMatrix(!1,!0),t.dispatchEvent(xg),uo.child=t,this.dispatchEvent(uo),uo.child=null,this}getObjectById(t){return this.getObjectByProperty("id",t)}getObjectByName(t){return this.getObjectByProperty("name",t)}getObjectByProperty(t,e){if(this[t]===e)return this;for(let n=0,s=this.children.length;n<s;n++){let o=this.children[n].getObjectByProperty(t,e);if(o!==void 0)return o}}getObjectsByProperty(t,e,n=[]){this[t]===e&&n.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(t,e,n);return n}getWorldPosition(t){return this.updateWorldMatrix(!0,!1),t.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(ya,t,Jb),t}getWorldScale(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(ya,Kb,t),t}getWorldDirection(t){this.updateWorldMatrix(!0,!1);let e=this.matrixWorld.elements;return t.set(e[8],e[9],e[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(t){t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverse(t)}traverseVisible(t){if(this.visible===!1)return;t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverseVisible(t)}traverseAncestors(t){let e=this.parent;e!==null&&(t(e),e.traverseAncestors(t))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let t=this.pivot;if(t!==null){let e=t.x,n=t.y,s=t.z,r=this.matrix.elements;r[12]+=e-r[0]*e-r[4]*n-r[8]*s,r[13]+=n-r[1]*e-r[5]*n-r[9]*s,r[14]+=s-r[2]*e-r[6]*n-r[10]*s}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(t){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||t)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,t=!0);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].updateMatrixWorld(t)}updateWorldMatrix(t,e,n=!1){let s=this.parent;if(t===!0&&s!==null&&s.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),e===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,n)}}toJSON(t){let e=t===void 0||typeof t=="string",n={};e&&(t={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,s.name=this.name,s.castShadow=this.castShadow,s.receiveShadow=this.receiveShadow,s.visible=this.visible,s.frustumCulled=this.frustumCulled,s.renderOrder=this.renderOrder,s.static=this.static,s.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.pivot!==null&&(s.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(s.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(s.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(t),s.indirectTexture=this._indirectTexture.toJSON(t),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(t)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,l){return a[l.uuid]===void 0&&(a[l.uuid]=l.toJSON(t)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(t).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(t).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(t.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let l=a.shapes;if(Array.isArray(l))for(let c=0,h=l.length;c<h;c++){let u=l[c];r(t.shapes,u)}else r(t.shapes,l)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(t.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let l=0,c=this.material.length;l<c;l++)a.push(r(t.materials,this.material[l]));s.material=a}else s.material=r(t.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(t).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let l=this.animations[a];s.animations.push(r(t.animations,l))}}if(e){let a=o(t.geometries),l=o(t.materials),c=o(t.textures),h=o(t.images),u=o(t.shapes),f=o(t.skeletons),d=o(t.animations),p=o(t.nodes);a.length>0&&(n.geometries=a),l.length>0&&(n.materials=l),c.length>0&&(n.textures=c),h.length>0&&(n.images=h),u.length>0&&(n.shapes=u),f.length>0&&(n.skeletons=f),d.length>0&&(n.animations=d),p.length>0&&(n.nodes=p)}return n.object=s,n;function o(a){let l=[];for(let c in a){let h=a[c];delete h.metadata,l.push(h)}return l}}clone(t){return new this.constructor().copy(this,t)}copy(t,e=!0){if(this.name=t.name,this.up.copy(t.up),this.position.copy(t.position),this.rotation.order=t.rotation.order,this.quaternion.copy(t.quaternion),this.scale.copy(t.scale),this.pivot=t.pivot!==null?t.pivot.clone():null,this.matrix.copy(t.matrix),this.matrixWorld.copy(t.matrixWorld),this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrixWorldAutoUpdate=t.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=t.matrixWorldNeedsUpdate,this.layers.mask=t.layers.mask,this.visible=t.visible,this.castShadow=t.castShadow,this.receiveShadow=t.receiveShadow,this.frustumCulled=t.frustumCulled,this.renderOrder=t.renderOrder,this.static=t.static,this.animations=t.animations.slice(),this.userData=JSON.parse(JSON.stringify(t.userData)),e===!0)for(let n=0;n<t.children.length;n++){let s=t.children[n];this.add(s.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};On.DEFAULT_UP=new G(0,1,0);On.DEFAULT_MATRIX_AUTO_UPDATE=!0;On.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var Ar=class extends On{constructor(){super(),this.isGroup=!0,this.type="Group"}},Qb={type:"move"},Fo=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new Ar,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new Ar,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new G,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new G),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new Ar,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new G,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new G,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(t){return this._targetRay!==null&&this._targetRay.dispatchEvent(t),this._grip!==null&&this._grip.dispatchEvent(t),this._hand!==null&&this._hand.dispatchEvent(t),this}connect(t){if(t&&t.hand){let e=this._hand;if(e)for(let n of t.hand.values())this._getHandJoint(e,n)}return this.dispatchEvent({type:"connected",data:t}),this}disconnect(t){return this.dispatchEvent({type:"disconnected",data:t}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(t,e,n){let s=null,r=null,o=null,a=this._targetRay,l=this._grip,c=this._hand;if(t&&e.session.visibilityState!=="visible-blurred"){if(c&&t.hand){o=!0;for(let x of t.hand.values()){let m=e.getJointPose(x,n),g=this._getHandJoint(c,x);m!==null&&(g.matrix.fromArray(m.transform.matrix),g.matrix.decompose(g.position,g.quaternion,g.scale),g.matrixWorldNeedsUpdate=!0,g.jointRadius=m.radius),g.visible=m!==null}let h=c.joints["index-finger-tip"],u=c.joints["thumb-tip"],f=h.position.distanceTo(u.position),d=.02,p=.005;c.inputState.pinching&&f>d+p?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:t.handedness,target:this})):!c.inputState.pinching&&f<=d-p&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:t.handedness,target:this}))}else l!==null&&t.gripSpace&&(r=e.getPose(t.gripSpace,n),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.quaternion,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1,l.eventsEnabled&&l.dispatchEvent({type:"gripUpdated",data:t,target:this})));a!==null&&(s=e.getPose(t.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(Qb)))}return a!==null&&(a.visible=s!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=o!==null),this}_getHandJoint(t,e){if(t.joints[e.jointName]===void 0){let n=new Ar;n.matrixAutoUpdate=!1,n.visible=!1,t.joints[e.jointName]=n,t.add(n)}return t.joints[e.jointName]}},M0={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},Ks={h:0,s:0,l:0},hc={h:0,s:0,l:0};function Nf(i,t,e){return e<0&&(e+=1),e>1&&(e-=1),e<1/6?i+(t-i)*6*e:e<1/2?t:e<2/3?i+(t-i)*6*(2/3-e):i}var oe=class{constructor(t,e,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(t,e,n)}set(t,e,n){if(e===void 0&&n===void 0){let s=t;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(t,e,n);return this}setScalar(t){return this.r=t,this.g=t,this.b=t,this}setHex(t,e=bi){return t=Math.floor(t),this.r=(t>>16&255)/255,this.g=(t>>8&255)/255,this.b=(t&255)/255,_e.colorSpaceToWorking(this,e),this}setRGB(t,e,n,s=_e.workingColorSpace){return this.r=t,this.g=e,this.b=n,_e.colorSpaceToWorking(this,s),this}setHSL(t,e,n,s=_e.workingColorSpace){if(t=Rd(t,1),e=le(e,0,1),n=le(n,0,1),e===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+e):n+e-n*e,o=2*n-r;this.r=Nf(o,r,t+1/3),this.g=Nf(o,r,t),this.b=Nf(o,r,t-1/3)}return _e.colorSpaceToWorking(this,s),this}setStyle(t,e=bi){function n(r){r!==void 0&&parseFloat(r)<1&&qt("Color: Alpha component of "+t+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(t)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,e);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,e);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,e);break;default:qt("Color: Unknown color model "+t)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(t)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,e);if(o===6)return this.setHex(parseInt(r,16),e);qt("Color: Invalid hex color "+t)}else if(t&&t.length>0)return this.setColorName(t,e);return this}setColorName(t,e=bi){let n=M0[t.toLowerCase()];return n!==void 0?this.setHex(n,e):qt("Color: Unknown color "+t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(t){return this.r=t.r,this.g=t.g,this.b=t.b,this}copySRGBToLinear(t){return this.r=Ps(t.r),this.g=Ps(t.g),this.b=Ps(t.b),this}copyLinearToSRGB(t){return this.r=Ro(t.r),this.g=Ro(t.g),this.b=Ro(t.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(t=bi){return _e.workingToColorSpace(Yn.copy(this),t),Math.round(le(Yn.r*255,0,255))*65536+Math.round(le(Yn.g*255,0,255))*256+Math.round(le(Yn.b*255,0,255))}getHexString(t=bi){return("000000"+this.getHex(t).toString(16)).slice(-6)}getHSL(t,e=_e.workingColorSpace){_e.workingToColorSpace(Yn.copy(this),e);let n=Yn.r,s=Yn.g,r=Yn.b,o=Math.max(n,s,r),a=Math.min(n,s,r),l,c,h=(a+o)/2;if(a===o)l=0,c=0;else{let u=o-a;switch(c=h<=.5?u/(o+a):u/(2-o-a),o){case n:l=(s-r)/u+(s<r?6:0);break;case s:l=(r-n)/u+2;break;case r:l=(n-s)/u+4;break}l/=6}return t.h=l,t.s=c,t.l=h,t}getRGB(t,e=_e.workingColorSpace){return _e.workingToColorSpace(Yn.copy(this),e),t.r=Yn.r,t.g=Yn.g,t.b=Yn.b,t}getStyle(t=bi){_e.workingToColorSpace(Yn.copy(this),t);let e=Yn.r,n=Yn.g,s=Yn.b;return t!==bi?`color(${t} ${e.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(e*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(t,e,n){return this.getHSL(Ks),this.setHSL(Ks.h+t,Ks.s+e,Ks.l+n)}add(t){return this.r+=t.r,this.g+=t.g,this.b+=t.b,this}addColors(t,e){return this.r=t.r+e.r,this.g=t.g+e.g,this.b=t.b+e.b,this}addScalar(t){return this.r+=t,this.g+=t,this.b+=t,this}sub(t){return this.r=Math.max(0,this.r-t.r),this.g=Math.max(0,this.g-t.g),this.b=Math.max(0,this.b-t.b),this}multiply(t){return this.r*=t.r,this.g*=t.g,this.b*=t.b,this}multiplyScalar(t){return this.r*=t,this.g*=t,this.b*=t,this}lerp(t,e){return this.r+=(t.r-this.r)*e,this.g+=(t.g-this.g)*e,this.b+=(t.b-this.b)*e,this}lerpColors(t,e,n){return this.r=t.r+(e.r-t.r)*n,this.g=t.g+(e.g-t.g)*n,this.b=t.b+(e.b-t.b)*n,this}lerpHSL(t,e){this.getHSL(Ks),t.getHSL(hc);let n=La(Ks.h,hc.h,e),s=La(Ks.s,hc.s,e),r=La(Ks.l,hc.l,e);return this.setHSL(n,s,r),this}setFromVector3(t){return this.r=t.x,this.g=t.y,this.b=t.z,this}applyMatrix3(t){let e=this.r,n=this.g,s=this.b,r=t.elements;return this.r=r[0]*e+r[3]*n+r[6]*s,this.g=r[1]*e+r[4]*n+r[7]*s,this.b=r[2]*e+r[5]*n+r[8]*s,this}equals(t){return t.r===this.r&&t.g===this.g&&t.b===this.b}fromArray(t,e=0){return this.r=t[e],this.g=t[e+1],this.b=t[e+2],this}toArray(t=[],e=0){return t[e]=this.r,t[e+1]=this.g,t[e+2]=this.b,t}fromBufferAttribute(t,e){return this.r=t.getX(e),this.g=t.getY(e),this.b=t.getZ(e),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},Yn=new oe;oe.NAMES=M0;var Er=class extends On{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new Ls,this.environmentIntensity=1,this.environmentRotation=new Ls,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(t,e){return super.copy(t,e),this.background=t.background!==null?t.background.clone():null,this.environment=t.environment!==null?t.environment.clone():null,this.fog=t.fog!==null?t.fog.clone():null,this.backgroundBlurriness=t.backgroundBlurriness,this.backgroundIntensity=t.backgroundIntensity,this.backgroundRotation.copy(t.backgroundRotation),this.environmentIntensity=t.environmentIntensity,this.environmentRotation.copy(t.environmentRotation),this.overrideMaterial=t.overrideMaterial!==null?t.overrideMaterial.clone():null,this.matrixAutoUpdate=t.matrixAutoUpdate,this}toJSON(t){let e=super.toJSON(t);return this.fog!==null&&(e.object.fog=this.fog.toJSON()),e.object.backgroundBlurriness=this.backgroundBlurriness,e.object.backgroundIntensity=this.backgroundIntensity,e.object.backgroundRotation=this.backgroundRotation.toArray(),e.object.environmentIntensity=this.environmentIntensity,e.object.environmentRotation=this.environmentRotation.toArray(),e}},Hi=new G,Ts=new G,Uf=new G,As=new G,fo=new G,po=new G,_g=new G,Ff=new G,Of=new G,Bf=new G,zf=new Me,kf=new Me,Gf=new Me,Rs=class i{constructor(t=new G,e=new G,n=new G){this.a=t,this.b=e,this.c=n}static getNormal(t,e,n,s){s.subVectors(n,e),Hi.subVectors(t,e),s.cross(Hi);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(t,e,n,s,r){Hi.subVectors(s,e),Ts.subVectors(n,e),Uf.subVectors(t,e);let o=Hi.dot(Hi),a=Hi.dot(Ts),l=Hi.dot(Uf),c=Ts.dot(Ts),h=Ts.dot(Uf),u=o*c-a*a;if(u===0)return r.set(0,0,0),null;let f=1/u,d=(c*l-a*h)*f,p=(o*h-a*l)*f;return r.set(1-d-p,p,d)}static containsPoint(t,e,n,s){return this.getBarycoord(t,e,n,s,As)===null?!1:As.x>=0&&As.y>=0&&As.x+As.y<=1}static getInterpolation(t,e,n,s,r,o,a,l){return this.getBarycoord(t,e,n,s,As)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,As.x),l.addScaledVector(o,As.y),l.addScaledVector(a,As.z),l)}static getInterpolatedAttribute(t,e,n,s,r,o){return zf.setScalar(0),kf.setScalar(0),Gf.setScalar(0),zf.fromBufferAttribute(t,e),kf.fromBufferAttribute(t,n),Gf.fromBufferAttribute(t,s),o.setScalar(0),o.addScaledVector(zf,r.x),o.addScaledVector(kf,r.y),o.addScaledVector(Gf,r.z),o}static isFrontFacing(t,e,n,s){return Hi.subVectors(n,e),Ts.subVectors(t,e),Hi.cross(Ts).dot(s)<0}set(t,e,n){return this.a.copy(t),this.b.copy(e),this.c.copy(n),this}setFromPointsAndIndices(t,e,n,s){return this.a.copy(t[e]),this.b.copy(t[n]),this.c.copy(t[s]),this}setFromAttributeAndIndices(t,e,n,s){return this.a.fromBufferAttribute(t,e),this.b.fromBufferAttribute(t,n),this.c.fromBufferAttribute(t,s),this}clone(){return new this.constructor().copy(this)}copy(t){return this.a.copy(t.a),this.b.copy(t.b),this.c.copy(t.c),this}getArea(){return Hi.subVectors(this.c,this.b),Ts.subVectors(this.a,this.b),Hi.cross(Ts).length()*.5}getMidpoint(t){return t.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return i.getNormal(this.a,this.b,this.c,t)}getPlane(t){return t.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,e){return i.getBarycoord(t,this.a,this.b,this.c,e)}getInterpolation(t,e,n,s,r){return i.getInterpolation(t,this.a,this.b,this.c,e,n,s,r)}containsPoint(t){return i.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return i.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(t){return t.intersectsTriangle(this)}closestPointToPoint(t,e){let n=this.a,s=this.b,r=this.c,o,a;fo.subVectors(s,n),po.subVectors(r,n),Ff.subVectors(t,n);let l=fo.dot(Ff),c=po.dot(Ff);if(l<=0&&c<=0)return e.copy(n);Of.subVectors(t,s);let h=fo.dot(Of),u=po.dot(Of);if(h>=0&&u<=h)return e.copy(s);let f=l*u-h*c;if(f<=0&&l>=0&&h<=0&&l-h>0)return o=l/(l-h),e.copy(n).addScaledVector(fo,o);Bf.subVectors(t,r);let d=fo.dot(Bf),p=po.dot(Bf);if(p>=0&&d<=p)return e.copy(r);let x=d*c-l*p;if(x<=0&&c>=0&&p<=0)return a=c/(c-p),e.copy(n).addScaledVector(po,a);let m=h*p-d*u;if(m<=0&&u-h>=0&&d-p>=0)return _g.subVectors(r,s),a=(u-h)/(u-h+(d-p)),e.copy(s).addScaledVector(_g,a);let g=1/(m+x+f);return o=x*g,a=f*g,e.copy(n).addScaledVector(fo,o).addScaledVector(po,a)}equals(t){return t.a.equals(this.a)&&t.b.equals(this.b)&&t.c.equals(this.c)}},ai=class{constructor(t=new G(1/0,1/0,1/0),e=new G(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=t,this.max=e}set(t,e){return this.min.copy(t),this.max.copy(e),this}setFromArray(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e+=3)this.expandByPoint(Wi.fromArray(t,e));return this}setFromBufferAttribute(t){this.makeEmpty();for(let e=0,n=t.count;e<n;e++)this.expandByPoint(Wi.fromBufferAttribute(t,e));return this}setFromPoints(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e++)this.expandByPoint(t[e]);return this}setFromCenterAndSize(t,e){let n=Wi.copy(e).multiplyScalar(.5);return this.min.copy(t).sub(n),this.max.copy(t).add(n),this}setFromObject(t,e=!1){return this.makeEmpty(),this.expandByObject(t,e)}clone(){return new this.constructor().copy(this)}copy(t){return this.min.copy(t.min),this.max.copy(t.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(t){return this.isEmpty()?t.set(0,0,0):t.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(t){return this.isEmpty()?t.set(0,0,0):t.subVectors(this.max,this.min)}expandByPoint(t){return this.min.min(t),this.max.max(t),this}expandByVector(t){return this.min.sub(t),this.max.add(t),this}expandByScalar(t){return this.min.addScalar(-t),this.max.addScalar(t),this}expandByObject(t,e=!1){t.updateWorldMatrix(!1,!1);let n=t.geometry;if(n!==void 0){let r=n.getAttribute("position");if(e===!0&&r!==void 0&&t.isInstancedMesh!==!0&&t.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)t.isMesh===!0?t.getVertexPosition(o,Wi):Wi.fromBufferAttribute(r,o),Wi.applyMatrix4(t.matrixWorld),this.expandByPoint(Wi);else t.boundingBox!==void 0?(t.boundingBox===null&&t.computeBoundingBox(),uc.copy(t.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),uc.copy(n.boundingBox)),uc.applyMatrix4(t.matrixWorld),this.union(uc)}let s=t.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],e);return this}containsPoint(t){return t.x>=this.min.x&&t.x<=this.max.x&&t.y>=this.min.y&&t.y<=this.max.y&&t.z>=this.min.z&&t.z<=this.max.z}containsBox(t){return this.min.x<=t.min.x&&t.max.x<=this.max.x&&this.min.y<=t.min.y&&t.max.y<=this.max.y&&this.min.z<=t.min.z&&t.max.z<=this.max.z}getParameter(t,e){return e.set((t.x-this.min.x)/(this.max.x-this.min.x),(t.y-this.min.y)/(this.max.y-this.min.y),(t.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(t){return t.max.x>=this.min.x&&t.min.x<=this.max.x&&t.max.y>=this.min.y&&t.min.y<=this.max.y&&t.max.z>=this.min.z&&t.min.z<=this.max.z}intersectsSphere(t){return this.clampPoint(t.center,Wi),Wi.distanceToSquared(t.center)<=t.radius*t.radius}intersectsPlane(t){let e,n;return t.normal.x>0?(e=t.normal.x*this.min.x,n=t.normal.x*this.max.x):(e=t.normal.x*this.max.x,n=t.normal.x*this.min.x),t.normal.y>0?(e+=t.normal.y*this.min.y,n+=t.normal.y*this.max.y):(e+=t.normal.y*this.max.y,n+=t.normal.y*this.min.y),t.normal.z>0?(e+=t.normal.z*this.min.z,n+=t.normal.z*this.max.z):(e+=t.normal.z*this.max.z,n+=t.normal.z*this.min.z),e<=-t.constant&&n>=-t.constant}intersectsTriangle(t){if(this.isEmpty())return!1;this.getCenter(ba),fc.subVectors(this.max,ba),mo.subVectors(t.a,ba),go.subVectors(t.b,ba),xo.subVectors(t.c,ba),js.subVectors(go,mo),Qs.subVectors(xo,go),Mr.subVectors(mo,xo);let e=[0,-js.z,js.y,0,-Qs.z,Qs.y,0,-Mr.z,Mr.y,js.z,0,-js.x,Qs.z,0,-Qs.x,Mr.z,0,-Mr.x,-js.y,js.x,0,-Qs.y,Qs.x,0,-Mr.y,Mr.x,0];return!Vf(e,mo,go,xo,fc)||(e=[1,0,0,0,1,0,0,0,1],!Vf(e,mo,go,xo,fc))?!1:(dc.crossVectors(js,Qs),e=[dc.x,dc.y,dc.z],Vf(e,mo,go,xo,fc))}clampPoint(t,e){return e.copy(t).clamp(this.min,this.max)}distanceToPoint(t){return this.clampPoint(t,Wi).distanceTo(t)}getBoundingSphere(t){return this.isEmpty()?t.makeEmpty():(this.getCenter(t.center),t.radius=this.getSize(Wi).length()*.5),t}intersect(t){return this.min.max(t.min),this.max.min(t.max),this.isEmpty()&&this.makeEmpty(),this}union(t){return this.min.min(t.min),this.max.max(t.max),this}applyMatrix4(t){return this.isEmpty()?this:(Es[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(t),Es[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(t),Es[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(t),Es[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(t),Es[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(t),Es[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(t),Es[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(t),Es[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(t),this.setFromPoints(Es),this)}translate(t){return this.min.add(t),this.max.add(t),this}equals(t){return t.min.equals(this.min)&&t.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(t){return this.min.fromArray(t.min),this.max.fromArray(t.max),this}},Es=[new G,new G,new G,new G,new G,new G,new G,new G],Wi=new G,uc=new ai,mo=new G,go=new G,xo=new G,js=new G,Qs=new G,Mr=new G,ba=new G,fc=new G,dc=new G,Sr=new G;function Vf(i,t,e,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){Sr.fromArray(i,r);let a=s.x*Math.abs(Sr.x)+s.y*Math.abs(Sr.y)+s.z*Math.abs(Sr.z),l=t.dot(Sr),c=e.dot(Sr),h=n.dot(Sr);if(Math.max(-Math.max(l,c,h),Math.min(l,c,h))>a)return!1}return!0}var gn=new G,pc=new Zt,tM=0,Mn=class extends cs{constructor(t,e,n=!1){if(super(),Array.isArray(t))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:tM++}),this.name="",this.array=t,this.itemSize=e,this.count=t!==void 0?t.length/e:0,this.normalized=n,this.usage=Ed,this.updateRanges=[],this.gpuType=Di,this.version=0,this._normalizationScale=t!==void 0?lu(t):void 0}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.name=t.name,this.array=new t.array.constructor(t.array),this.itemSize=t.itemSize,this.count=t.count,this.normalized=t.normalized,this.usage=t.usage,this.gpuType=t.gpuType,this._normalizationScale=t._normalizationScale,this}copyAt(t,e,n){t*=this.itemSize,n*=e.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[t+s]=e.array[n+s];return this}copyArray(t){return this.array.set(t),this}applyMatrix3(t){if(this.itemSize===2)for(let e=0,n=this.count;e<n;e++)pc.fromBufferAttribute(this,e),pc.applyMatrix3(t),this.setXY(e,pc.x,pc.y);else if(this.itemSize===3)for(let e=0,n=this.count;e<n;e++)gn.fromBufferAttribute(this,e),gn.applyMatrix3(t),this.setXYZ(e,gn.x,gn.y,gn.z);return this}applyMatrix4(t){for(let e=0,n=this.count;e<n;e++)gn.fromBufferAttribute(this,e),gn.applyMatrix4(t),this.setXYZ(e,gn.x,gn.y,gn.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)gn.fromBufferAttribute(this,e),gn.applyNormalMatrix(t),this.setXYZ(e,gn.x,gn.y,gn.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)gn.fromBufferAttribute(this,e),gn.transformDirection(t),this.setXYZ(e,gn.x,gn.y,gn.z);return this}set(t,e=0){return this.array.set(t,e),this}getComponent(t,e){let n=this.array[t*this.itemSize+e];return this.normalized&&(n=this._denormalize(n)),n}setComponent(t,e,n){return this.normalized&&(n=this._normalize(n)),this.array[t*this.itemSize+e]=n,this}getX(t){let e=this.array[t*this.itemSize];return this.normalized&&(e=this._denormalize(e)),e}setX(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize]=e,this}getY(t){let e=this.array[t*this.itemSize+1];return this.normalized&&(e=this._denormalize(e)),e}setY(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+1]=e,this}getZ(t){let e=this.array[t*this.itemSize+2];return this.normalized&&(e=this._denormalize(e)),e}setZ(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+2]=e,this}getW(t){let e=this.array[t*this.itemSize+3];return this.normalized&&(e=this._denormalize(e)),e}setW(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+3]=e,this}setXY(t,e,n){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n)),this.array[t+0]=e,this.array[t+1]=n,this}setXYZ(t,e,n,s){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this.array[t+3]=r,this}onUpload(t){return this.onUploadCallback=t,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let t={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return t.name=this.name,t.usage=this.usage,t.gpuType=this.gpuType,t}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(t){let e=this._normalizationScale;return e!==void 0?Math.max(t/e,-1):Id(t,this.array)}_normalize(t){let e=this._normalizationScale;return e!==void 0?Math.round(t*e):Ld(t,this.array)}};var za=class extends Mn{constructor(t,e,n){super(new Uint16Array(t),e,n)}};var ka=class extends Mn{constructor(t,e,n){super(new Uint32Array(t),e,n)}};var Ae=class extends Mn{constructor(t,e,n){super(new Float32Array(t),e,n)}},eM=new ai,Ma=new G,Hf=new G,fi=class{constructor(t=new G,e=-1){this.isSphere=!0,this.center=t,this.radius=e}set(t,e){return this.center.copy(t),this.radius=e,this}setFromPoints(t,e){let n=this.center;e!==void 0?n.copy(e):eM.setFromPoints(t).getCenter(n);let s=0;for(let r=0,o=t.length;r<o;r++)s=Math.max(s,n.distanceToSquared(t[r]));return this.radius=Math.sqrt(s),this}copy(t){return this.center.copy(t.center),this.radius=t.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(t){return t.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(t){return t.distanceTo(this.center)-this.radius}intersectsSphere(t){let e=this.radius+t.radius;return t.center.distanceToSquared(this.center)<=e*e}intersectsBox(t){return t.intersectsSphere(this)}intersectsPlane(t){return Math.abs(t.distanceToPoint(this.center))<=this.radius}clampPoint(t,e){let n=this.center.distanceToSquared(t);return e.copy(t),n>this.radius*this.radius&&(e.sub(this.center).normalize(),e.multiplyScalar(this.radius).add(this.center)),e}getBoundingBox(t){return this.isEmpty()?(t.makeEmpty(),t):(t.set(this.center,this.center),t.expandByScalar(this.radius),t)}applyMatrix4(t){return this.center.applyMatrix4(t),this.radius=this.radius*t.getMaxScaleOnAxis(),this}translate(t){return this.center.add(t),this}expandByPoint(t){if(this.isEmpty())return this.center.copy(t),this.radius=0,this;Ma.subVectors(t,this.center);let e=Ma.lengthSq();if(e>this.radius*this.radius){let n=Math.sqrt(e),s=(n-this.radius)*.5;this.center.addScaledVector(Ma,s/n),this.radius+=s}return this}union(t){return t.isEmpty()?this:this.isEmpty()?(this.copy(t),this):(this.center.equals(t.center)===!0?this.radius=Math.max(this.radius,t.radius):(Hf.subVectors(t.center,this.center).setLength(t.radius),this.expandByPoint(Ma.copy(t.center).add(Hf)),this.expandByPoint(Ma.copy(t.center).sub(Hf))),this)}equals(t){return t.center.equals(this.center)&&t.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(t){return this.radius=t.radius,this.center.fromArray(t.center),this}},nM=0,Pi=new ve,Wf=new On,_o=new G,yi=new ai,Sa=new ai,Un=new G,Ge=class i extends cs{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:nM++}),this.uuid=ur(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(t){return Array.isArray(t)?this.index=new(Eb(t)?ka:za)(t,1):this.index=t,this}setIndirect(t,e=0){return this.indirect=t,this.indirectOffset=e,this}getIndirect(){return this.indirect}getAttribute(t){return this.attributes[t]}setAttribute(t,e){return this.attributes[t]=e,this}deleteAttribute(t){return delete this.attributes[t],this}hasAttribute(t){return this.attributes[t]!==void 0}addGroup(t,e,n=0){this.groups.push({start:t,count:e,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(t,e){this.drawRange.start=t,this.drawRange.count=e}applyMatrix4(t){let e=this.attributes.position;e!==void 0&&(e.applyMatrix4(t),e.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let r=new ee().getNormalMatrix(t);n.applyNormalMatrix(r),n.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(t),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(t){return Pi.makeRotationFromQuaternion(t),this.applyMatrix4(Pi),this}rotateX(t){return Pi.makeRotationX(t),this.applyMatrix4(Pi),this}rotateY(t){return Pi.makeRotationY(t),this.applyMatrix4(Pi),this}rotateZ(t){return Pi.makeRotationZ(t),this.applyMatrix4(Pi),this}translate(t,e,n){return Pi.makeTranslation(t,e,n),this.applyMatrix4(Pi),this}scale(t,e,n){return Pi.makeScale(t,e,n),this.applyMatrix4(Pi),this}lookAt(t){return Wf.lookAt(t),Wf.updateMatrix(),this.applyMatrix4(Wf.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(_o).negate(),this.translate(_o.x,_o.y,_o.z),this}setFromPoints(t){let e=this.getAttribute("position");if(e===void 0){let n=[];for(let s=0,r=t.length;s<r;s++){let o=t[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new Ae(n,3))}else{let n=Math.min(t.length,e.count);for(let s=0;s<n;s++){let r=t[s];e.setXYZ(s,r.x,r.y,r.z||0)}t.length>e.count&&qt("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),e.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new ai);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){jt("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new G(-1/0,-1/0,-1/0),new G(1/0,1/0,1/0));return}if(t!==void 0){if(this.boundingBox.setFromBufferAttribute(t),e)for(let n=0,s=e.length;n<s;n++){let r=e[n];yi.setFromBufferAttribute(r),this.morphTargetsRelative?(Un.addVectors(this.boundingBox.min,yi.min),this.boundingBox.expandByPoint(Un),Un.addVectors(this.boundingBox.max,yi.max),this.boundingBox.expandByPoint(Un)):(this.boundingBox.expandByPoint(yi.min),this.boundingBox.expandByPoint(yi.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&jt('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new fi);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){jt("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new G,1/0);return}if(t){let n=this.boundingSphere.center;if(yi.setFromBufferAttribute(t),e)for(let r=0,o=e.length;r<o;r++){let a=e[r];Sa.setFromBufferAttribute(a),this.morphTargetsRelative?(Un.addVectors(yi.min,Sa.min),yi.expandByPoint(Un),Un.addVectors(yi.max,Sa.max),yi.expandByPoint(Un)):(yi.expandByPoint(Sa.min),yi.expandByPoint(Sa.max))}yi.getCenter(n);let s=0;for(let r=0,o=t.count;r<o;r++)Un.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(Un));if(e)for(let r=0,o=e.length;r<o;r++){let a=e[r],l=this.morphTargetsRelative;for(let c=0,h=a.count;c<h;c++)Un.fromBufferAttribute(a,c),l&&(_o.fromBufferAttribute(t,c),Un.add(_o)),s=Math.max(s,n.distanceToSquared(Un))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&jt('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let t=this.index,e=this.attributes;if(t===null||e.position===void 0||e.normal===void 0||e.uv===void 0){jt("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let n=e.position,s=e.normal,r=e.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==n.count)&&(o=new Mn(new Float32Array(4*n.count),4),this.setAttribute("tangent",o));let a=[],l=[],c=new Uint8Array(n.count);for(let B=0;B<n.count;B++)a[B]=new G,l[B]=new G;let h=new G,u=new G,f=new G,d=new Zt,p=new Zt,x=new Zt,m=new G,g=new G;function b(B,U,N){c[B]=c[U]=c[N]=1,h.fromBufferAttribute(n,B),u.fromBufferAttribute(n,U),f.fromBufferAttribute(n,N),d.fromBufferAttribute(r,B),p.fromBufferAttribute(r,U),x.fromBufferAttribute(r,N),u.sub(h),f.sub(h),p.sub(d),x.sub(d);let k=1/(p.x*x.y-x.x*p.y);isFinite(k)&&(m.copy(u).multiplyScalar(x.y).addScaledVector(f,-p.y).multiplyScalar(k),g.copy(f).multiplyScalar(p.x).addScaledVector(u,-x.x).multiplyScalar(k),a[B].add(m),a[U].add(m),a[N].add(m),l[B].add(g),l[U].add(g),l[N].add(g))}let S=this.groups;S.length===0&&(S=[{start:0,count:t.count}]);for(let B=0,U=S.length;B<U;++B){let N=S[B],k=N.start,W=N.count;for(let L=k,X=k+W;L<X;L+=3)b(t.getX(L+0),t.getX(L+1),t.getX(L+2))}let y=new G,C=new G,E=new G,_=new G;function A(B){E.fromBufferAttribute(s,B),_.copy(E);let U=a[B];y.copy(U),y.sub(E.multiplyScalar(E.dot(U))).normalize(),C.crossVectors(_,U);let k=C.dot(l[B])<0?-1:1;o.setXYZW(B,y.x,y.y,y.z,k)}for(let B=0,U=n.count;B<U;++B)c[B]&&A(B);this._transformed=!0}computeVertexNormals(){let t=this.index,e=this.getAttribute("position");if(e!==void 0){let n=this.getAttribute("normal");if(n===void 0||n.count!==e.count)n=new Mn(new Float32Array(e.count*3),3),this.setAttribute("normal",n);else for(let f=0,d=n.count;f<d;f++)n.setXYZ(f,0,0,0);let s=new G,r=new G,o=new G,a=new G,l=new G,c=new G,h=new G,u=new G;if(t)for(let f=0,d=t.count;f<d;f+=3){let p=t.getX(f+0),x=t.getX(f+1),m=t.getX(f+2);s.fromBufferAttribute(e,p),r.fromBufferAttribute(e,x),o.fromBufferAttribute(e,m),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),a.fromBufferAttribute(n,p),l.fromBufferAttribute(n,x),c.fromBufferAttribute(n,m),a.add(h),l.add(h),c.add(h),n.setXYZ(p,a.x,a.y,a.z),n.setXYZ(x,l.x,l.y,l.z),n.setXYZ(m,c.x,c.y,c.z)}else for(let f=0,d=e.count;f<d;f+=3)s.fromBufferAttribute(e,f+0),r.fromBufferAttribute(e,f+1),o.fromBufferAttribute(e,f+2),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),n.setXYZ(f+0,h.x,h.y,h.z),n.setXYZ(f+1,h.x,h.y,h.z),n.setXYZ(f+2,h.x,h.y,h.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let t=this.attributes.normal;for(let e=0,n=t.count;e<n;e++)Un.fromBufferAttribute(t,e),Un.normalize(),t.setXYZ(e,Un.x,Un.y,Un.z)}toNonIndexed(){function t(a,l){let c=a.array,h=a.itemSize,u=a.normalized,f=new c.constructor(l.length*h),d=0,p=0;for(let x=0,m=l.length;x<m;x++){a.isInterleavedBufferAttribute?d=l[x]*a.data.stride+a.offset:d=l[x]*h;for(let g=0;g<h;g++)f[p++]=c[d++]}return new Mn(f,h,u)}if(this.index===null)return qt("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let e=new i,n=this.index.array,s=this.attributes;for(let a in s){let l=s[a],c=t(l,n);e.setAttribute(a,c)}let r=this.morphAttributes;for(let a in r){let l=[],c=r[a];for(let h=0,u=c.length;h<u;h++){let f=c[h],d=t(f,n);l.push(d)}e.morphAttributes[a]=l}e.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,l=o.length;a<l;a++){let c=o[a];e.addGroup(c.start,c.count,c.materialIndex)}return e}toJSON(){let t={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(t.uuid=this.uuid,t.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,t.name=this.name,Object.keys(this.userData).length>0&&(t.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let l=this.parameters;for(let c in l)l[c]!==void 0&&(t[c]=l[c]);return t}t.data={attributes:{}};let e=this.index;e!==null&&(t.data.index={type:e.array.constructor.name,array:Array.prototype.slice.call(e.array)});let n=this.attributes;for(let l in n){let c=n[l];t.data.attributes[l]=c.toJSON(t.data)}let s={},r=!1;for(let l in this.morphAttributes){let c=this.morphAttributes[l],h=[];for(let u=0,f=c.length;u<f;u++){let d=c[u];h.push(d.toJSON(t.data))}h.length>0&&(s[l]=h,r=!0)}r&&(t.data.morphAttributes=s,t.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(t.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(t.data.boundingSphere=a.toJSON()),t}clone(){return new this.constructor().copy(this)}copy(t){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let e={};this.name=t.name;let n=t.index;n!==null&&this.setIndex(n.clone());let s=t.attributes;for(let c in s){let h=s[c];this.setAttribute(c,h.clone(e))}let r=t.morphAttributes;for(let c in r){let h=[],u=r[c];for(let f=0,d=u.length;f<d;f++)h.push(u[f].clone(e));this.morphAttributes[c]=h}this.morphTargetsRelative=t.morphTargetsRelative;let o=t.groups;for(let c=0,h=o.length;c<h;c++){let u=o[c];this.addGroup(u.start,u.count,u.materialIndex)}let a=t.boundingBox;a!==null&&(this.boundingBox=a.clone());let l=t.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=t.drawRange.start,this.drawRange.count=t.drawRange.count,this.userData=t.userData,this._transformed=t._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}},Ga=class{constructor(t,e){this.isInterleavedBuffer=!0,this.array=t,this.stride=e,this.count=t!==void 0?t.length/e:0,this.usage=Ed,this.updateRanges=[],this.version=0,this.uuid=ur()}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.array=new t.array.constructor(t.array),this.count=t.count,this.stride=t.stride,this.usage=t.usage,this}copyAt(t,e,n){t*=this.stride,n*=e.stride;for(let s=0,r=this.stride;s<r;s++)this.array[t+s]=e.array[n+s];return this}set(t,e=0){return this.array.set(t,e),this}clone(t){t.arrayBuffers===void 0&&(t.arrayBuffers={});let e=vg(this.array);t.arrayBuffers[e]===void 0&&(t.arrayBuffers[e]=this.array.slice(0).buffer);let n=new this.array.constructor(t.arrayBuffers[e]),s=new this.constructor(n,this.stride);return s.setUsage(this.usage),s}onUpload(t){return this.onUploadCallback=t,this}toJSON(t){t.arrayBuffers===void 0&&(t.arrayBuffers={});let e=vg(this.array);t.arrayBuffers[e]===void 0&&(t.arrayBuffers[e]=Array.from(new Uint32Array(this.array.slice(0).buffer)));let n={uuid:this.uuid,buffer:e,type:this.array.constructor.name,stride:this.stride};return n.usage=this.usage,n}};function vg(i){return i.buffer._uuid===void 0&&(i.buffer._uuid=ur()),i.byteOffset===0&&i.byteLength===i.buffer.byteLength?i.buffer._uuid:i.buffer._uuid+":"+i.byteOffset+":"+i.byteLength}var si=new G,Zn=class i{constructor(t,e,n,s=!1){this.isInterleavedBufferAttribute=!0,this.name="",this.data=t,this.itemSize=e,this.offset=n,this.normalized=s,this._normalizationScale=t!==void 0?lu(t.array):void 0}get count(){return this.data.count}get array(){return this.data.array}set needsUpdate(t){this.data.needsUpdate=t}applyMatrix4(t){for(let e=0,n=this.data.count;e<n;e++)si.fromBufferAttribute(this,e),si.applyMatrix4(t),this.setXYZ(e,si.x,si.y,si.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)si.fromBufferAttribute(this,e),si.applyNormalMatrix(t),this.setXYZ(e,si.x,si.y,si.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)si.fromBufferAttribute(this,e),si.transformDirection(t),this.setXYZ(e,si.x,si.y,si.z);return this}getComponent(t,e){let n=this.array[t*this.data.stride+this.offset+e];return this.normalized&&(n=this._denormalize(n)),n}setComponent(t,e,n){return this.normalized&&(n=this._normalize(n)),this.data.array[t*this.data.stride+this.offset+e]=n,this}setX(t,e){return this.normalized&&(e=this._normalize(e)),this.data.array[t*this.data.stride+this.offset]=e,this}setY(t,e){return this.normalized&&(e=this._normalize(e)),this.data.array[t*this.data.stride+this.offset+1]=e,this}setZ(t,e){return this.normalized&&(e=this._normalize(e)),this.data.array[t*this.data.stride+this.offset+2]=e,this}setW(t,e){return this.normalized&&(e=this._normalize(e)),this.data.array[t*this.data.stride+this.offset+3]=e,this}getX(t){let e=this.data.array[t*this.data.stride+this.offset];return this.normalized&&(e=this._denormalize(e)),e}getY(t){let e=this.data.array[t*this.data.stride+this.offset+1];return this.normalized&&(e=this._denormalize(e)),e}getZ(t){let e=this.data.array[t*this.data.stride+this.offset+2];return this.normalized&&(e=this._denormalize(e)),e}getW(t){let e=this.data.array[t*this.data.stride+this.offset+3];return this.normalized&&(e=this._denormalize(e)),e}setXY(t,e,n){return t=t*this.data.stride+this.offset,this.normalized&&(e=this._normalize(e),n=this._normalize(n)),this.data.array[t+0]=e,this.data.array[t+1]=n,this}setXYZ(t,e,n,s){return t=t*this.data.stride+this.offset,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s)),this.data.array[t+0]=e,this.data.array[t+1]=n,this.data.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t=t*this.data.stride+this.offset,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.data.array[t+0]=e,this.data.array[t+1]=n,this.data.array[t+2]=s,this.data.array[t+3]=r,this}clone(t){if(t===void 0){Fa("InterleavedBufferAttribute.clone(): Cloning an interleaved buffer attribute will de-interleave buffer data.");let e=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)e.push(this.data.array[s+r])}return new Mn(new this.array.constructor(e),this.itemSize,this.normalized)}else return t.interleavedBuffers===void 0&&(t.interleavedBuffers={}),t.interleavedBuffers[this.data.uuid]===void 0&&(t.interleavedBuffers[this.data.uuid]=this.data.clone(t)),new i(t.interleavedBuffers[this.data.uuid],this.itemSize,this.offset,this.normalized)}toJSON(t){if(t===void 0){Fa("InterleavedBufferAttribute.toJSON(): Serializing an interleaved buffer attribute will de-interleave buffer data.");let e=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)e.push(this.data.array[s+r])}return{itemSize:this.itemSize,type:this.array.constructor.name,array:e,normalized:this.normalized}}else return t.interleavedBuffers===void 0&&(t.interleavedBuffers={}),t.interleavedBuffers[this.data.uuid]===void 0&&(t.interleavedBuffers[this.data.uuid]=this.data.toJSON(t)),{isInterleavedBufferAttribute:!0,itemSize:this.itemSize,data:this.data.uuid,offset:this.offset,normalized:this.normalized}}_denormalize(t){let e=this._normalizationScale;return e!==void 0?Math.max(t/e,-1):Id(t,this.data.array)}_normalize(t){let e=this._normalizationScale;return e!==void 0?Math.round(t*e):Ld(t,this.data.array)}},Xf=new G,iM=new G,sM=new ee,Xi=class{constructor(t=new G(1,0,0),e=0){this.isPlane=!0,this.normal=t,this.constant=e}set(t,e){return this.normal.copy(t),this.constant=e,this}setComponents(t,e,n,s){return this.normal.set(t,e,n),this.constant=s,this}setFromNormalAndCoplanarPoint(t,e){return this.normal.copy(t),this.constant=-e.dot(this.normal),this}setFromCoplanarPoints(t,e,n){let s=Xf.subVectors(n,e).cross(iM.subVectors(t,e)).normalize();return this.setFromNormalAndCoplanarPoint(s,t),this}copy(t){return this.normal.copy(t.normal),this.constant=t.constant,this}normalize(){let t=1/this.normal.length();return this.normal.multiplyScalar(t),this.constant*=t,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(t){return this.normal.dot(t)+this.constant}distanceToSphere(t){return this.distanceToPoint(t.center)-t.radius}projectPoint(t,e){return e.copy(t).addScaledVector(this.normal,-this.distanceToPoint(t))}intersectLine(t,e,n=!0){let s=t.delta(Xf),r=this.normal.dot(s);if(r===0)return this.distanceToPoint(t.start)===0?e.copy(t.start):null;let o=-(t.start.dot(this.normal)+this.constant)/r;return n===!0&&(o<0||o>1)?null:e.copy(t.start).addScaledVector(s,o)}intersectsLine(t){let e=this.distanceToPoint(t.start),n=this.distanceToPoint(t.end);return e<0&&n>0||n<0&&e>0}intersectsBox(t){return t.intersectsPlane(this)}intersectsSphere(t){return t.intersectsPlane(this)}coplanarPoint(t){return t.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(t,e){let n=e||sM.getNormalMatrix(t),s=this.coplanarPoint(Xf).applyMatrix4(t),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(t){return this.constant-=t.dot(this.normal),this}equals(t){return t.normal.equals(this.normal)&&t.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(t){return this.normal.fromArray(t.normal),this.constant=t.constant,this}},rM=0,qi=class extends cs{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:rM++}),this.uuid=ur(),this.name="",this.type="Material",this.blending=Vo,this.side=us,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=ul,this.blendDst=fl,this.blendEquation=Us,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new oe(0,0,0),this.blendAlpha=0,this.depthFunc=Po,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=f0,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=Bc,this.stencilZFail=Bc,this.stencilZPass=Bc,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(t){this._alphaTest>0!=t>0&&this.version++,this._alphaTest=t}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(t){if(t!==void 0)for(let e in t){let n=t[e];if(n===void 0){qt(`Material: parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){qt(`Material: '${e}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector2&&n&&n.isVector2||s&&s.isEuler&&n&&n.isEuler||s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";e&&(t={textures:{},images:{}});let n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(t).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(t).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(t).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(t).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(t).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(t).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(t).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(t).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(t).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(t).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(t).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(t).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(t).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(t).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(t).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(t).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(t).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(t).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(t).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(t).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(t).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(t).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(t).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(t).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(t).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(t).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(t).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){let o=[];for(let a in r){let l=r[a];delete l.metadata,o.push(l)}return o}if(e){let r=s(t.textures),o=s(t.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}fromJSON(t,e){if(t.uuid!==void 0&&(this.uuid=t.uuid),t.name!==void 0&&(this.name=t.name),t.color!==void 0&&this.color!==void 0&&this.color.setHex(t.color),t.roughness!==void 0&&(this.roughness=t.roughness),t.metalness!==void 0&&(this.metalness=t.metalness),t.sheen!==void 0&&(this.sheen=t.sheen),t.sheenColor!==void 0&&(this.sheenColor=new oe().setHex(t.sheenColor)),t.sheenRoughness!==void 0&&(this.sheenRoughness=t.sheenRoughness),t.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(t.emissive),t.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(t.specular),t.specularIntensity!==void 0&&(this.specularIntensity=t.specularIntensity),t.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(t.specularColor),t.shininess!==void 0&&(this.shininess=t.shininess),t.clearcoat!==void 0&&(this.clearcoat=t.clearcoat),t.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=t.clearcoatRoughness),t.diffuseRoughness!==void 0&&(this.diffuseRoughness=t.diffuseRoughness),t.dispersion!==void 0&&(this.dispersion=t.dispersion),t.retroreflectivity!==void 0&&(this.retroreflectivity=t.retroreflectivity),t.iridescence!==void 0&&(this.iridescence=t.iridescence),t.iridescenceIOR!==void 0&&(this.iridescenceIOR=t.iridescenceIOR),t.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessMinimum),t.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=t.iridescenceThicknessMaximum),t.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=t.iridescenceThicknessRange[1]),t.transmission!==void 0&&(this.transmission=t.transmission),t.thickness!==void 0&&(this.thickness=t.thickness),t.attenuationDistance!==void 0&&(this.attenuationDistance=t.attenuationDistance),t.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(t.attenuationColor),t.anisotropy!==void 0&&(this.anisotropy=t.anisotropy),t.anisotropyRotation!==void 0&&(this.anisotropyRotation=t.anisotropyRotation),t.fog!==void 0&&(this.fog=t.fog),t.flatShading!==void 0&&(this.flatShading=t.flatShading),t.blending!==void 0&&(this.blending=t.blending),t.combine!==void 0&&(this.combine=t.combine),t.side!==void 0&&(this.side=t.side),t.shadowSide!==void 0&&(this.shadowSide=t.shadowSide),t.opacity!==void 0&&(this.opacity=t.opacity),t.transparent!==void 0&&(this.transparent=t.transparent),t.alphaTest!==void 0&&(this.alphaTest=t.alphaTest),t.alphaHash!==void 0&&(this.alphaHash=t.alphaHash),t.depthFunc!==void 0&&(this.depthFunc=t.depthFunc),t.depthTest!==void 0&&(this.depthTest=t.depthTest),t.depthWrite!==void 0&&(this.depthWrite=t.depthWrite),t.colorWrite!==void 0&&(this.colorWrite=t.colorWrite),t.clippingPlanes!==void 0&&(this.clippingPlanes=t.clippingPlanes.map(n=>new Xi().fromJSON(n))),t.clipIntersection!==void 0&&(this.clipIntersection=t.clipIntersection),t.clipShadows!==void 0&&(this.clipShadows=t.clipShadows),t.depthPacking!==void 0&&(this.depthPacking=t.depthPacking),t.blendSrc!==void 0&&(this.blendSrc=t.blendSrc),t.blendDst!==void 0&&(this.blendDst=t.blendDst),t.blendEquation!==void 0&&(this.blendEquation=t.blendEquation),t.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=t.blendSrcAlpha),t.blendDstAlpha!==void 0&&(this.blendDstAlpha=t.blendDstAlpha),t.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=t.blendEquationAlpha),t.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(t.blendColor),t.blendAlpha!==void 0&&(this.blendAlpha=t.blendAlpha),t.stencilWriteMask!==void 0&&(this.stencilWriteMask=t.stencilWriteMask),t.stencilFunc!==void 0&&(this.stencilFunc=t.stencilFunc),t.stencilRef!==void 0&&(this.stencilRef=t.stencilRef),t.stencilFuncMask!==void 0&&(this.stencilFuncMask=t.stencilFuncMask),t.stencilFail!==void 0&&(this.stencilFail=t.stencilFail),t.stencilZFail!==void 0&&(this.stencilZFail=t.stencilZFail),t.stencilZPass!==void 0&&(this.stencilZPass=t.stencilZPass),t.stencilWrite!==void 0&&(this.stencilWrite=t.stencilWrite),t.wireframe!==void 0&&(this.wireframe=t.wireframe),t.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=t.wireframeLinewidth),t.wireframeLinecap!==void 0&&(this.wireframeLinecap=t.wireframeLinecap),t.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=t.wireframeLinejoin),t.rotation!==void 0&&(this.rotation=t.rotation),t.linewidth!==void 0&&(this.linewidth=t.linewidth),t.linecap!==void 0&&(this.linecap=t.linecap),t.linejoin!==void 0&&(this.linejoin=t.linejoin),t.dashSize!==void 0&&(this.dashSize=t.dashSize),t.gapSize!==void 0&&(this.gapSize=t.gapSize),t.scale!==void 0&&(this.scale=t.scale),t.polygonOffset!==void 0&&(this.polygonOffset=t.polygonOffset),t.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=t.polygonOffsetFactor),t.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=t.polygonOffsetUnits),t.dithering!==void 0&&(this.dithering=t.dithering),t.alphaToCoverage!==void 0&&(this.alphaToCoverage=t.alphaToCoverage),t.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=t.premultipliedAlpha),t.forceSinglePass!==void 0&&(this.forceSinglePass=t.forceSinglePass),t.allowOverride!==void 0&&(this.allowOverride=t.allowOverride),t.visible!==void 0&&(this.visible=t.visible),t.toneMapped!==void 0&&(this.toneMapped=t.toneMapped),t.userData!==void 0&&(this.userData=t.userData),t.vertexColors!==void 0&&(typeof t.vertexColors=="number"?this.vertexColors=t.vertexColors>0:this.vertexColors=t.vertexColors),t.size!==void 0&&(this.size=t.size),t.sizeAttenuation!==void 0&&(this.sizeAttenuation=t.sizeAttenuation),t.map!==void 0&&(this.map=e[t.map]||null),t.matcap!==void 0&&(this.matcap=e[t.matcap]||null),t.alphaMap!==void 0&&(this.alphaMap=e[t.alphaMap]||null),t.bumpMap!==void 0&&(this.bumpMap=e[t.bumpMap]||null),t.bumpScale!==void 0&&(this.bumpScale=t.bumpScale),t.normalMap!==void 0&&(this.normalMap=e[t.normalMap]||null),t.normalMapType!==void 0&&(this.normalMapType=t.normalMapType),t.normalScale!==void 0){let n=t.normalScale;Array.isArray(n)===!1&&(n=[n,n]),this.normalScale=new Zt().fromArray(n)}return t.displacementMap!==void 0&&(this.displacementMap=e[t.displacementMap]||null),t.displacementScale!==void 0&&(this.displacementScale=t.displacementScale),t.displacementBias!==void 0&&(this.displacementBias=t.displacementBias),t.roughnessMap!==void 0&&(this.roughnessMap=e[t.roughnessMap]||null),t.metalnessMap!==void 0&&(this.metalnessMap=e[t.metalnessMap]||null),t.emissiveMap!==void 0&&(this.emissiveMap=e[t.emissiveMap]||null),t.emissiveIntensity!==void 0&&(this.emissiveIntensity=t.emissiveIntensity),t.specularMap!==void 0&&(this.specularMap=e[t.specularMap]||null),t.specularIntensityMap!==void 0&&(this.specularIntensityMap=e[t.specularIntensityMap]||null),t.specularColorMap!==void 0&&(this.specularColorMap=e[t.specularColorMap]||null),t.envMap!==void 0&&(this.envMap=e[t.envMap]||null),t.envMapRotation!==void 0&&this.envMapRotation.fromArray(t.envMapRotation),t.envMapIntensity!==void 0&&(this.envMapIntensity=t.envMapIntensity),t.reflectivity!==void 0&&(this.reflectivity=t.reflectivity),t.refractionRatio!==void 0&&(this.refractionRatio=t.refractionRatio),t.lightMap!==void 0&&(this.lightMap=e[t.lightMap]||null),t.lightMapIntensity!==void 0&&(this.lightMapIntensity=t.lightMapIntensity),t.aoMap!==void 0&&(this.aoMap=e[t.aoMap]||null),t.aoMapIntensity!==void 0&&(this.aoMapIntensity=t.aoMapIntensity),t.gradientMap!==void 0&&(this.gradientMap=e[t.gradientMap]||null),t.clearcoatMap!==void 0&&(this.clearcoatMap=e[t.clearcoatMap]||null),t.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=e[t.clearcoatRoughnessMap]||null),t.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=e[t.clearcoatNormalMap]||null),t.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new Zt().fromArray(t.clearcoatNormalScale)),t.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=e[t.diffuseRoughnessMap]||null),t.iridescenceMap!==void 0&&(this.iridescenceMap=e[t.iridescenceMap]||null),t.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=e[t.iridescenceThicknessMap]||null),t.transmissionMap!==void 0&&(this.transmissionMap=e[t.transmissionMap]||null),t.thicknessMap!==void 0&&(this.thicknessMap=e[t.thicknessMap]||null),t.anisotropyMap!==void 0&&(this.anisotropyMap=e[t.anisotropyMap]||null),t.sheenColorMap!==void 0&&(this.sheenColorMap=e[t.sheenColorMap]||null),t.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=e[t.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(t){this.name=t.name,this.blending=t.blending,this.side=t.side,this.vertexColors=t.vertexColors,this.opacity=t.opacity,this.transparent=t.transparent,this.blendSrc=t.blendSrc,this.blendDst=t.blendDst,this.blendEquation=t.blendEquation,this.blendSrcAlpha=t.blendSrcAlpha,this.blendDstAlpha=t.blendDstAlpha,this.blendEquationAlpha=t.blendEquationAlpha,this.blendColor.copy(t.blendColor),this.blendAlpha=t.blendAlpha,this.depthFunc=t.depthFunc,this.depthTest=t.depthTest,this.depthWrite=t.depthWrite,this.stencilWriteMask=t.stencilWriteMask,this.stencilFunc=t.stencilFunc,this.stencilRef=t.stencilRef,this.stencilFuncMask=t.stencilFuncMask,this.stencilFail=t.stencilFail,this.stencilZFail=t.stencilZFail,this.stencilZPass=t.stencilZPass,this.stencilWrite=t.stencilWrite;let e=t.clippingPlanes,n=null;if(e!==null){let s=e.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=e[r].clone()}return this.clippingPlanes=n,this.clipIntersection=t.clipIntersection,this.clipShadows=t.clipShadows,this.shadowSide=t.shadowSide,this.colorWrite=t.colorWrite,this.precision=t.precision,this.polygonOffset=t.polygonOffset,this.polygonOffsetFactor=t.polygonOffsetFactor,this.polygonOffsetUnits=t.polygonOffsetUnits,this.dithering=t.dithering,this.alphaTest=t.alphaTest,this.alphaHash=t.alphaHash,this.alphaToCoverage=t.alphaToCoverage,this.premultipliedAlpha=t.premultipliedAlpha,this.forceSinglePass=t.forceSinglePass,this.allowOverride=t.allowOverride,this.visible=t.visible,this.toneMapped=t.toneMapped,this.userData=JSON.parse(JSON.stringify(t.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(t){t===!0&&this.version++}},Oo=class extends qi{constructor(t){super(),this.isSpriteMaterial=!0,this.type="SpriteMaterial",this.color=new oe(16777215),this.map=null,this.alphaMap=null,this.rotation=0,this.sizeAttenuation=!0,this.transparent=!0,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.alphaMap=t.alphaMap,this.rotation=t.rotation,this.sizeAttenuation=t.sizeAttenuation,this.fog=t.fog,this}},vo,wa=new G,yo=new G,bo=new G,Mo=new Zt,Ta=new Zt,S0=new ve,mc=new G,Aa=new G,gc=new G,yg=new Zt,qf=new Zt,bg=new Zt,Va=class extends On{constructor(t=new Oo){if(super(),this.isSprite=!0,this.type="Sprite",vo===void 0){vo=new Ge;let e=new Float32Array([-.5,-.5,0,0,0,.5,-.5,0,1,0,.5,.5,0,1,1,-.5,.5,0,0,1]),n=new Ga(e,5);vo.setIndex([0,1,2,0,2,3]),vo.setAttribute("position",new Zn(n,3,0,!1)),vo.setAttribute("uv",new Zn(n,2,3,!1))}this.geometry=vo,this.material=t,this.center=new Zt(.5,.5),this.count=1}intersectsFrustum(t){return t.intersectsSprite(this)}raycast(t,e){t.camera===null&&jt('Sprite: "Raycaster.camera" needs to be set in order to raycast against sprites.'),yo.setFromMatrixScale(this.matrixWorld),S0.copy(t.camera.matrixWorld),this.modelViewMatrix.multiplyMatrices(t.camera.matrixWorldInverse,this.matrixWorld),bo.setFromMatrixPosition(this.modelViewMatrix),t.camera.isPerspectiveCamera&&this.material.sizeAttenuation===!1&&yo.multiplyScalar(-bo.z);let n=this.material.rotation,s,r;n!==0&&(r=Math.cos(n),s=Math.sin(n));let o=this.center;xc(mc.set(-.5,-.5,0),bo,o,yo,s,r),xc(Aa.set(.5,-.5,0),bo,o,yo,s,r),xc(gc.set(.5,.5,0),bo,o,yo,s,r),yg.set(0,0),qf.set(1,0),bg.set(1,1);let a=t.ray.intersectTriangle(mc,Aa,gc,!1,wa);if(a===null&&(xc(Aa.set(-.5,.5,0),bo,o,yo,s,r),qf.set(0,1),a=t.ray.intersectTriangle(mc,gc,Aa,!1,wa),a===null))return;let l=t.ray.origin.distanceTo(wa);l<t.near||l>t.far||e.push({distance:l,point:wa.clone(),uv:Rs.getInterpolation(wa,mc,Aa,gc,yg,qf,bg,new Zt),face:null,object:this})}copy(t,e){return super.copy(t,e),t.center!==void 0&&this.center.copy(t.center),this.material=t.material,this}toJSON(t){let e=super.toJSON(t);return e.object.center=this.center.toArray(),e}};function xc(i,t,e,n,s,r){Mo.subVectors(i,e).addScalar(.5).multiply(n),s!==void 0?(Ta.x=r*Mo.x-s*Mo.y,Ta.y=s*Mo.x+r*Mo.y):Ta.copy(Mo),i.copy(t),i.x+=Ta.x,i.y+=Ta.y,i.applyMatrix4(S0)}var Cs=new G,Yf=new G,_c=new G,vc=new G,Bo=class{constructor(t=new G,e=new G(0,0,-1)){this.origin=t,this.direction=e}set(t,e){return this.origin.copy(t),this.direction.copy(e),this}copy(t){return this.origin.copy(t.origin),this.direction.copy(t.direction),this}at(t,e){return e.copy(this.origin).addScaledVector(this.direction,t)}lookAt(t){return this.direction.copy(t).sub(this.origin).normalize(),this}recast(t){return this.origin.copy(this.at(t,Cs)),this}closestPointToPoint(t,e){e.subVectors(t,this.origin);let n=e.dot(this.direction);return n<0?e.copy(this.origin):e.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(t){return Math.sqrt(this.distanceSqToPoint(t))}distanceSqToPoint(t){let e=Cs.subVectors(t,this.origin).dot(this.direction);return e<0?this.origin.distanceToSquared(t):(Cs.copy(this.origin).addScaledVector(this.direction,e),Cs.distanceToSquared(t))}distanceSqToSegment(t,e,n,s){Yf.copy(t).add(e).multiplyScalar(.5),_c.copy(e).sub(t).normalize(),vc.copy(this.origin).sub(Yf);let r=t.distanceTo(e)*.5,o=-this.direction.dot(_c),a=vc.dot(this.direction),l=-vc.dot(_c),c=vc.lengthSq(),h=Math.abs(1-o*o),u,f,d,p;if(h>0)if(u=o*l-a,f=o*a-l,p=r*h,u>=0)if(f>=-p)if(f<=p){let x=1/h;u*=x,f*=x,d=u*(u+o*f+2*a)+f*(o*u+f+2*l)+c}else f=r,u=Math.max(0,-(o*f+a)),d=-u*u+f*(f+2*l)+c;else f=-r,u=Math.max(0,-(o*f+a)),d=-u*u+f*(f+2*l)+c;else f<=-p?(u=Math.max(0,-(-o*r+a)),f=u>0?-r:Math.min(Math.max(-r,-l),r),d=-u*u+f*(f+2*l)+c):f<=p?(u=0,f=Math.min(Math.max(-r,-l),r),d=f*(f+2*l)+c):(u=Math.max(0,-(o*r+a)),f=u>0?r:Math.min(Math.max(-r,-l),r),d=-u*u+f*(f+2*l)+c);else f=o>0?-r:r,u=Math.max(0,-(o*f+a)),d=-u*u+f*(f+2*l)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,u),s&&s.copy(Yf).addScaledVector(_c,f),d}intersectSphere(t,e){if(t.radius<0)return null;Cs.subVectors(t.center,this.origin);let n=Cs.dot(this.direction),s=Cs.dot(Cs)-n*n,r=t.radius*t.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=n-o,l=n+o;return l<0?null:a<0?this.at(l,e):this.at(a,e)}intersectsSphere(t){return t.radius<0?!1:this.distanceSqToPoint(t.center)<=t.radius*t.radius}distanceToPlane(t){let e=t.normal.dot(this.direction);if(e===0)return t.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(t.normal)+t.constant)/e;return n>=0?n:null}intersectPlane(t,e){let n=this.distanceToPlane(t);return n===null?null:this.at(n,e)}intersectsPlane(t){let e=t.distanceToPoint(this.origin);return e===0||t.normal.dot(this.direction)*e<0}intersectBox(t,e){let n,s,r,o,a,l,c=1/this.direction.x,h=1/this.direction.y,u=1/this.direction.z,f=this.origin;return c>=0?(n=(t.min.x-f.x)*c,s=(t.max.x-f.x)*c):(n=(t.max.x-f.x)*c,s=(t.min.x-f.x)*c),h>=0?(r=(t.min.y-f.y)*h,o=(t.max.y-f.y)*h):(r=(t.max.y-f.y)*h,o=(t.min.y-f.y)*h),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),u>=0?(a=(t.min.z-f.z)*u,l=(t.max.z-f.z)*u):(a=(t.max.z-f.z)*u,l=(t.min.z-f.z)*u),n>l||a>s)||((a>n||n!==n)&&(n=a),(l<s||s!==s)&&(s=l),s<0)?null:this.at(n>=0?n:s,e)}intersectsBox(t){return this.intersectBox(t,Cs)!==null}intersectTriangle(t,e,n,s,r){let o=this.origin,a=this.direction,l=a.x,c=a.y,h=a.z,u=t.x-o.x,f=t.y-o.y,d=t.z-o.z,p=e.x-o.x,x=e.y-o.y,m=e.z-o.z,g=n.x-o.x,b=n.y-o.y,S=n.z-o.z,y=Math.abs(l),C=Math.abs(c),E=Math.abs(h),_,A,B,U,N,k,W,L,X,Z,V,lt;if(y>=C&&y>=E?(B=l,k=u,X=p,lt=g,l>=0?(_=c,A=h,U=f,N=d,W=x,L=m,Z=b,V=S):(_=h,A=c,U=d,N=f,W=m,L=x,Z=S,V=b)):C>=E?(B=c,k=f,X=x,lt=b,c>=0?(_=h,A=l,U=d,N=u,W=m,L=p,Z=S,V=g):(_=l,A=h,U=u,N=d,W=p,L=m,Z=g,V=S)):(B=h,k=d,X=m,lt=S,h>=0?(_=l,A=c,U=u,N=f,W=p,L=x,Z=g,V=b):(_=c,A=l,U=f,N=u,W=x,L=p,Z=b,V=g)),B===0)return null;let Y=_/B,Q=A/B,it=1/B,ft=U-Y*k,ut=N-Q*k,tt=W-Y*X,mt=L-Q*X,_t=Z-Y*lt,Et=V-Q*lt,Mt=_t*mt-Et*tt,Ht=ft*Et-ut*_t,se=tt*ut-mt*ft;if(s){if(Mt<0||Ht<0||se<0)return null}else if((Mt<0||Ht<0||se<0)&&(Mt>0||Ht>0||se>0))return null;let Gt=Mt+Ht+se;if(Gt===0)return null;let fe=it*(Mt*k+Ht*X+se*lt);return(Gt>0?fe<0:fe>0)?null:this.at(fe/Gt,r)}applyMatrix4(t){return this.origin.applyMatrix4(t),this.direction.transformDirection(t),this}equals(t){return t.origin.equals(this.origin)&&t.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},Kc=class extends qi{constructor(t){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new oe(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Ls,this.combine=yh,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.fog=t.fog,this}},Mg=new ve,wr=new Bo,yc=new fi,Sg=new G,bc=new G,Mc=new G,Sc=new G,$f=new G,wc=new G,wg=new G,Tc=new G,xn=class extends On{constructor(t=new Ge,e=new Kc){super(),this.isMesh=!0,this.type="Mesh",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(t,e){let n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;e.fromBufferAttribute(s,t);let a=this.morphTargetInfluences;if(r&&a){wc.set(0,0,0);for(let l=0,c=r.length;l<c;l++){let h=a[l],u=r[l];h!==0&&($f.fromBufferAttribute(u,t),o?wc.addScaledVector($f,h):wc.addScaledVector($f.sub(e),h))}e.add(wc)}return e}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),yc.copy(n.boundingSphere),yc.applyMatrix4(r),wr.copy(t.ray).recast(t.near),!(yc.containsPoint(wr.origin)===!1&&(wr.intersectSphere(yc,Sg)===null||wr.origin.distanceToSquared(Sg)>(t.far-t.near)**2))&&(Mg.copy(r).invert(),wr.copy(t.ray).applyMatrix4(Mg),!(n.boundingBox!==null&&wr.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(t,e,wr)))}_computeIntersections(t,e,n){let s,r=this.geometry,o=this.material,a=r.index,l=r.attributes.position,c=r.attributes.uv,h=r.attributes.uv1,u=r.attributes.normal,f=r.groups,d=r.drawRange;if(a!==null)if(Array.isArray(o))for(let p=0,x=f.length;p<x;p++){let m=f[p],g=o[m.materialIndex],b=Math.max(m.start,d.start),S=Math.min(a.count,Math.min(m.start+m.count,d.start+d.count));for(let y=b,C=S;y<C;y+=3){let E=a.getX(y),_=a.getX(y+1),A=a.getX(y+2);s=Ac(this,g,t,n,c,h,u,E,_,A),s&&(s.faceIndex=Math.floor(y/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let p=Math.max(0,d.start),x=Math.min(a.count,d.start+d.count);for(let m=p,g=x;m<g;m+=3){let b=a.getX(m),S=a.getX(m+1),y=a.getX(m+2);s=Ac(this,o,t,n,c,h,u,b,S,y),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}else if(l!==void 0)if(Array.isArray(o))for(let p=0,x=f.length;p<x;p++){let m=f[p],g=o[m.materialIndex],b=Math.max(m.start,d.start),S=Math.min(l.count,Math.min(m.start+m.count,d.start+d.count));for(let y=b,C=S;y<C;y+=3){let E=y,_=y+1,A=y+2;s=Ac(this,g,t,n,c,h,u,E,_,A),s&&(s.faceIndex=Math.floor(y/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let p=Math.max(0,d.start),x=Math.min(l.count,d.start+d.count);for(let m=p,g=x;m<g;m+=3){let b=m,S=m+1,y=m+2;s=Ac(this,o,t,n,c,h,u,b,S,y),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}}};function oM(i,t,e,n,s,r,o,a){let l;if(t.side===li?l=n.intersectTriangle(o,r,s,!0,a):l=n.intersectTriangle(s,r,o,t.side===us,a),l===null)return null;Tc.copy(a),Tc.applyMatrix4(i.matrixWorld);let c=e.ray.origin.distanceTo(Tc);return c<e.near||c>e.far?null:{distance:c,point:Tc.clone(),object:i}}function Ac(i,t,e,n,s,r,o,a,l,c){i.getVertexPosition(a,bc),i.getVertexPosition(l,Mc),i.getVertexPosition(c,Sc);let h=oM(i,t,e,n,bc,Mc,Sc,wg);if(h){let u=new G;Rs.getBarycoord(wg,bc,Mc,Sc,u),s&&(h.uv=Rs.getInterpolatedAttribute(s,a,l,c,u,new Zt)),r&&(h.uv1=Rs.getInterpolatedAttribute(r,a,l,c,u,new Zt)),o&&(h.normal=Rs.getInterpolatedAttribute(o,a,l,c,u,new G),h.normal.dot(n.direction)>0&&h.normal.multiplyScalar(-1));let f={a,b:l,c,normal:new G,materialIndex:0};Rs.getNormal(bc,Mc,Sc,f.normal),h.face=f,h.barycoord=u}return h}var Ha=class extends oi{constructor(t=null,e=1,n=1,s,r,o,a,l,c=Fn,h=Fn,u,f){super(null,o,a,l,c,h,s,r,u,f),this.isDataTexture=!0,this.image={data:t,width:e,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}};var er=class extends Mn{constructor(t,e,n,s=1){super(t,e,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(t){return super.copy(t),this.meshPerAttribute=t.meshPerAttribute,this}toJSON(){let t=super.toJSON();return t.meshPerAttribute=this.meshPerAttribute,t.isInstancedBufferAttribute=!0,t}},So=new ve,Tg=new ve,Ec=[],Ag=new ai,aM=new ve,Ea=new xn,Ca=new fi,Ds=class extends xn{constructor(t,e,n){super(t,e),this.isInstancedMesh=!0,this.instanceMatrix=new er(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<n;s++)this.setMatrixAt(s,aM)}computeBoundingBox(){let t=this.geometry,e=this.count;this.boundingBox===null&&(this.boundingBox=new ai),t.boundingBox===null&&t.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,So),Ag.copy(t.boundingBox).applyMatrix4(So),this.boundingBox.union(Ag)}computeBoundingSphere(){let t=this.geometry,e=this.count;this.boundingSphere===null&&(this.boundingSphere=new fi),t.boundingSphere===null&&t.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,So),Ca.copy(t.boundingSphere).applyMatrix4(So),this.boundingSphere.union(Ca)}copy(t,e){return super.copy(t,e),this.instanceMatrix.copy(t.instanceMatrix),this.morphTexture=t.morphTexture!==null?t.morphTexture.clone():null,this.instanceColor=t.instanceColor!==null?t.instanceColor.clone():null,this.count=t.count,this.boundingBox=t.boundingBox!==null?t.boundingBox.clone():null,this.boundingSphere=t.boundingSphere!==null?t.boundingSphere.clone():null,this}getColorAt(t,e){return this.instanceColor===null?e.setRGB(1,1,1):e.fromArray(this.instanceColor.array,t*3)}getMatrixAt(t,e){return e.fromArray(this.instanceMatrix.array,t*16)}getMorphAt(t,e){let n=e.morphTargetInfluences,s=this.morphTexture.source.data.data,r=n.length+1,o=t*r+1;for(let a=0;a<n.length;a++)n[a]=s[o+a]}raycast(t,e){let n=this.matrixWorld,s=this.count;if(Ea.geometry=this.geometry,Ea.material=this.material,Ea.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),Ca.copy(this.boundingSphere),Ca.applyMatrix4(n),t.ray.intersectsSphere(Ca)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,So),Tg.multiplyMatrices(n,So),Ea.matrixWorld=Tg,Ea.raycast(t,Ec);for(let o=0,a=Ec.length;o<a;o++){let l=Ec[o];l.instanceId=r,l.object=this,e.push(l)}Ec.length=0}}setColorAt(t,e){return this.instanceColor===null&&(this.instanceColor=new er(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),e.toArray(this.instanceColor.array,t*3),this}setMatrixAt(t,e){return e.toArray(this.instanceMatrix.array,t*16),this}setMorphAt(t,e){let n=e.morphTargetInfluences,s=n.length+1;this.morphTexture===null&&(this.morphTexture=new Ha(new Float32Array(s*this.count),s,this.count,Eh,Di));let r=this.morphTexture.source.data.data,o=0;for(let c=0;c<n.length;c++)o+=n[c];let a=this.geometry.morphTargetsRelative?1:1-o,l=s*t;return r[l]=a,r.set(n,l+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}},Tr=new fi,lM=new Zt(.5,.5),Cc=new G,nr=class{constructor(t=new Xi,e=new Xi,n=new Xi,s=new Xi,r=new Xi,o=new Xi){this.planes=[t,e,n,s,r,o]}set(t,e,n,s,r,o){let a=this.planes;return a[0].copy(t),a[1].copy(e),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(t){let e=this.planes;for(let n=0;n<6;n++)e[n].copy(t.planes[n]);return this}setFromProjectionMatrix(t,e=Ii,n=!1){let s=this.planes,r=t.elements,o=r[0],a=r[1],l=r[2],c=r[3],h=r[4],u=r[5],f=r[6],d=r[7],p=r[8],x=r[9],m=r[10],g=r[11],b=r[12],S=r[13],y=r[14],C=r[15];if(s[0].setComponents(c-o,d-h,g-p,C-b).normalize(),s[1].setComponents(c+o,d+h,g+p,C+b).normalize(),s[2].setComponents(c+a,d+u,g+x,C+S).normalize(),s[3].setComponents(c-a,d-u,g-x,C-S).normalize(),n)s[4].setComponents(l,f,m,y).normalize(),s[5].setComponents(c-l,d-f,g-m,C-y).normalize();else if(s[4].setComponents(c-l,d-f,g-m,C-y).normalize(),e===Ii)s[5].setComponents(c+l,d+f,g+m,C+y).normalize();else if(e===Lo)s[5].setComponents(l,f,m,y).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+e);return this}intersectsObject(t){if(t.boundingSphere!==void 0)t.boundingSphere===null&&t.computeBoundingSphere(),Tr.copy(t.boundingSphere).applyMatrix4(t.matrixWorld);else{let e=t.geometry;e.boundingSphere===null&&e.computeBoundingSphere(),Tr.copy(e.boundingSphere).applyMatrix4(t.matrixWorld)}return this.intersectsSphere(Tr)}intersectsSprite(t){Tr.center.set(0,0,0);let e=lM.distanceTo(t.center);return Tr.radius=.7071067811865476+e,Tr.applyMatrix4(t.matrixWorld),this.intersectsSphere(Tr)}intersectsSphere(t){let e=this.planes,n=t.center,s=-t.radius;for(let r=0;r<6;r++)if(e[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(t){let e=this.planes;for(let n=0;n<6;n++){let s=e[n];if(Cc.x=s.normal.x>0?t.max.x:t.min.x,Cc.y=s.normal.y>0?t.max.y:t.min.y,Cc.z=s.normal.z>0?t.max.z:t.min.z,s.distanceToPoint(Cc)<0)return!1}return!0}containsPoint(t){let e=this.planes;for(let n=0;n<6;n++)if(e[n].distanceToPoint(t)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},Eg=new ve,jc=class i{constructor(){this.coordinateSystem=Ii,this._frustums=[],this._count=0}setFromArrayCamera(t){let e=t.cameras,n=this._frustums;for(let s=0;s<e.length;s++){let r=e[s];Eg.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[s]===void 0&&(n[s]=new nr),n[s].setFromProjectionMatrix(Eg,r.coordinateSystem,r.reversedDepth)}return this._count=e.length,this}getFrustum(t){return this._frustums[t]}intersectsObject(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsObject(t))return!0;return!1}intersectsSprite(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSprite(t))return!0;return!1}intersectsSphere(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSphere(t))return!0;return!1}intersectsBox(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsBox(t))return!0;return!1}containsPoint(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].containsPoint(t))return!0;return!1}copy(t){this.coordinateSystem=t.coordinateSystem;let e=this._frustums,n=t._frustums;for(let s=0;s<t._count;s++)e[s]===void 0&&(e[s]=new nr),e[s].copy(n[s]);return this._count=t._count,this}clone(){return new i().copy(this)}};var ir=class extends qi{constructor(t){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new oe(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.linewidth=t.linewidth,this.linecap=t.linecap,this.linejoin=t.linejoin,this.fog=t.fog,this}},Qc=new G,th=new G,Cg=new ve,Ra=new Bo,Rc=new fi,Zf=new G,Rg=new G,Wa=class extends On{constructor(t=new Ge,e=new ir){super(),this.isLine=!0,this.type="Line",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[0];for(let s=1,r=e.count;s<r;s++)Qc.fromBufferAttribute(e,s-1),th.fromBufferAttribute(e,s),n[s]=n[s-1],n[s]+=Qc.distanceTo(th);t.setAttribute("lineDistance",new Ae(n,1))}else qt("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.matrixWorld,r=t.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),Rc.copy(n.boundingSphere),Rc.applyMatrix4(s),Rc.radius+=r,t.ray.intersectsSphere(Rc)===!1)return;Cg.copy(s).invert(),Ra.copy(t.ray).applyMatrix4(Cg);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=this.isLineSegments?2:1,h=n.index,f=n.attributes.position;if(h!==null){let d=Math.max(0,o.start),p=Math.min(h.count,o.start+o.count);for(let x=d,m=p-1;x<m;x+=c){let g=h.getX(x),b=h.getX(x+1),S=Pc(this,t,Ra,l,g,b,x);S&&e.push(S)}if(this.isLineLoop){let x=h.getX(p-1),m=h.getX(d),g=Pc(this,t,Ra,l,x,m,p-1);g&&e.push(g)}}else{let d=Math.max(0,o.start),p=Math.min(f.count,o.start+o.count);for(let x=d,m=p-1;x<m;x+=c){let g=Pc(this,t,Ra,l,x,x+1,x);g&&e.push(g)}if(this.isLineLoop){let x=Pc(this,t,Ra,l,p-1,d,p-1);x&&e.push(x)}}}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function Pc(i,t,e,n,s,r,o){let a=i.geometry.attributes.position;if(Qc.fromBufferAttribute(a,s),th.fromBufferAttribute(a,r),e.distanceSqToSegment(Qc,th,Zf,Rg)>n)return;Zf.applyMatrix4(i.matrixWorld);let c=t.ray.origin.distanceTo(Zf);if(!(c<t.near||c>t.far))return{distance:c,point:Rg.clone().applyMatrix4(i.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:i}}var Pg=new G,Ig=new G,Xa=class extends Wa{constructor(t,e){super(t,e),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[];for(let s=0,r=e.count;s<r;s+=2)Pg.fromBufferAttribute(e,s),Ig.fromBufferAttribute(e,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+Pg.distanceTo(Ig);t.setAttribute("lineDistance",new Ae(n,1))}else qt("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}},qa=class extends Wa{constructor(t,e){super(t,e),this.isLineLoop=!0,this.type="LineLoop"}},eh=class extends qi{constructor(t){super(),this.isPointsMaterial=!0,this.type="PointsMaterial",this.color=new oe(16777215),this.map=null,this.alphaMap=null,this.size=1,this.sizeAttenuation=!0,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.alphaMap=t.alphaMap,this.size=t.size,this.sizeAttenuation=t.sizeAttenuation,this.fog=t.fog,this}},Lg=new ve,nd=new Bo,Ic=new fi,Lc=new G,Ya=class extends On{constructor(t=new Ge,e=new eh){super(),this.isPoints=!0,this.type="Points",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.matrixWorld,r=t.params.Points.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),Ic.copy(n.boundingSphere),Ic.applyMatrix4(s),Ic.radius+=r,t.ray.intersectsSphere(Ic)===!1)return;Lg.copy(s).invert(),nd.copy(t.ray).applyMatrix4(Lg);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=n.index,u=n.attributes.position;if(c!==null){let f=Math.max(0,o.start),d=Math.min(c.count,o.start+o.count);for(let p=f,x=d;p<x;p++){let m=c.getX(p);Lc.fromBufferAttribute(u,m),Dg(Lc,m,l,s,t,e,this)}}else{let f=Math.max(0,o.start),d=Math.min(u.count,o.start+o.count);for(let p=f,x=d;p<x;p++)Lc.fromBufferAttribute(u,p),Dg(Lc,p,l,s,t,e,this)}}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function Dg(i,t,e,n,s,r,o){let a=nd.distanceSqToPoint(i);if(a<e){let l=new G;nd.closestPointToPoint(i,l),l.applyMatrix4(n);let c=s.ray.origin.distanceTo(l);if(c<s.near||c>s.far)return;r.push({distance:c,distanceToRay:Math.sqrt(a),point:l,index:t,face:null,faceIndex:null,barycoord:null,object:o})}}var $a=class extends oi{constructor(t=[],e=Ir,n,s,r,o,a,l,c,h){super(t,e,n,s,r,o,a,l,c,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(t){this.image=t}},Za=class extends oi{constructor(t,e,n,s,r,o,a,l,c){super(t,e,n,s,r,o,a,l,c),this.isCanvasTexture=!0,this.needsUpdate=!0}};var Ns=class extends oi{constructor(t,e,n=Yi,s,r,o,a=Fn,l=Fn,c,h=Is,u=1){if(h!==Is&&h!==Os)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let f={width:t,height:e,depth:u};super(f,s,r,o,a,l,h,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(t){return super.copy(t),this.source=new Uo(Object.assign({},t.image)),this.compareFunction=t.compareFunction,this}toJSON(t){let e=super.toJSON(t);return e.compareFunction=this.compareFunction,e}},Ja=class extends Ns{constructor(t,e=Yi,n=Ir,s,r,o=Fn,a=Fn,l,c=Is){let h={width:t,height:t,depth:1},u=[h,h,h,h,h,h];super(t,t,e,n,s,r,o,a,l,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(t){this.image=t}},Ka=class extends oi{constructor(t=null){super(),this.sourceTexture=t,this.isExternalTexture=!0}copy(t){return super.copy(t),this.sourceTexture=t.sourceTexture,this}},zo=class i extends Ge{constructor(t=1,e=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:t,height:e,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let l=[],c=[],h=[],u=[],f=0,d=0;p("z","y","x",-1,-1,n,e,t,o,r,0),p("z","y","x",1,-1,n,e,-t,o,r,1),p("x","z","y",1,1,t,n,e,s,o,2),p("x","z","y",1,-1,t,n,-e,s,o,3),p("x","y","z",1,-1,t,e,n,s,r,4),p("x","y","z",-1,-1,t,e,-n,s,r,5),this.setIndex(l),this.setAttribute("position",new Ae(c,3)),this.setAttribute("normal",new Ae(h,3)),this.setAttribute("uv",new Ae(u,2));function p(x,m,g,b,S,y,C,E,_,A,B){let U=y/_,N=C/A,k=y/2,W=C/2,L=E/2,X=_+1,Z=A+1,V=0,lt=0,Y=new G;for(let Q=0;Q<Z;Q++){let it=Q*N-W;for(let ft=0;ft<X;ft++){let ut=ft*U-k;Y[x]=ut*b,Y[m]=it*S,Y[g]=L,c.push(Y.x,Y.y,Y.z),Y[x]=0,Y[m]=0,Y[g]=E>0?1:-1,h.push(Y.x,Y.y,Y.z),u.push(ft/_),u.push(1-Q/A),V+=1}}for(let Q=0;Q<A;Q++)for(let it=0;it<_;it++){let ft=f+it+X*Q,ut=f+it+X*(Q+1),tt=f+(it+1)+X*(Q+1),mt=f+(it+1)+X*Q;l.push(ft,ut,mt),l.push(ut,tt,mt),lt+=6}a.addGroup(d,lt,B),d+=lt,f+=V}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}};var ja=class i extends Ge{constructor(t=1,e=32,n=0,s=Math.PI*2){super(),this.type="CircleGeometry",this.parameters={radius:t,segments:e,thetaStart:n,thetaLength:s},e=Math.max(3,e);let r=[],o=[],a=[],l=[],c=new G,h=new Zt;o.push(0,0,0),a.push(0,0,1),l.push(.5,.5);for(let u=0,f=3;u<=e;u++,f+=3){let d=n+u/e*s;c.x=t*Math.cos(d),c.y=t*Math.sin(d),o.push(c.x,c.y,c.z),a.push(0,0,1),h.x=(o[f]/t+1)/2,h.y=(o[f+1]/t+1)/2,l.push(h.x,h.y)}for(let u=1;u<=e;u++)r.push(u,u+1,0);this.setIndex(r),this.setAttribute("position",new Ae(o,3)),this.setAttribute("normal",new Ae(a,3)),this.setAttribute("uv",new Ae(l,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.segments,t.thetaStart,t.thetaLength)}},nh=class i extends Ge{constructor(t=1,e=1,n=1,s=32,r=1,o=!1,a=0,l=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:t,radiusBottom:e,height:n,radialSegments:s,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:l};let c=this;s=Math.floor(s),r=Math.floor(r);let h=[],u=[],f=[],d=[],p=0,x=[],m=n/2,g=0;b(),o===!1&&(t>0&&S(!0),e>0&&S(!1)),this.setIndex(h),this.setAttribute("position",new Ae(u,3)),this.setAttribute("normal",new Ae(f,3)),this.setAttribute("uv",new Ae(d,2));function b(){let y=new G,C=new G,E=0,_=(e-t)/n;for(let A=0;A<=r;A++){let B=[],U=A/r,N=U*(e-t)+t;for(let k=0;k<=s;k++){let W=k/s,L=W*l+a,X=Math.sin(L),Z=Math.cos(L);C.x=N*X,C.y=-U*n+m,C.z=N*Z,u.push(C.x,C.y,C.z),y.set(X,_,Z).normalize(),f.push(y.x,y.y,y.z),d.push(W,1-U),B.push(p++)}x.push(B)}for(let A=0;A<s;A++)for(let B=0;B<r;B++){let U=x[B][A],N=x[B+1][A],k=x[B+1][A+1],W=x[B][A+1];(t>0||B!==0)&&(h.push(U,N,W),E+=3),(e>0||B!==r-1)&&(h.push(N,k,W),E+=3)}c.addGroup(g,E,0),g+=E}function S(y){let C=p,E=new Zt,_=new G,A=0,B=y===!0?t:e,U=y===!0?1:-1;for(let k=1;k<=s;k++)u.push(0,m*U,0),f.push(0,U,0),d.push(.5,.5),p++;let N=p;for(let k=0;k<=s;k++){let L=k/s*l+a,X=Math.cos(L),Z=Math.sin(L);_.x=B*Z,_.y=m*U,_.z=B*X,u.push(_.x,_.y,_.z),f.push(0,U,0),E.x=X*.5+.5,E.y=Z*.5*U+.5,d.push(E.x,E.y),p++}for(let k=0;k<s;k++){let W=C+k,L=N+k;y===!0?h.push(L,L+1,W):h.push(L+1,L,W),A+=3}c.addGroup(g,A,y===!0?1:2),g+=A}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},Qa=class i extends nh{constructor(t=1,e=1,n=32,s=1,r=!1,o=0,a=Math.PI*2){super(0,t,e,n,s,r,o,a),this.type="ConeGeometry",this.parameters={radius:t,height:e,radialSegments:n,heightSegments:s,openEnded:r,thetaStart:o,thetaLength:a}}static fromJSON(t){return new i(t.radius,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}};var tl=class i extends Ge{constructor(t=1,e=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:t,height:e,widthSegments:n,heightSegments:s};let r=t/2,o=e/2,a=Math.floor(n),l=Math.floor(s),c=a+1,h=l+1,u=t/a,f=e/l,d=[],p=[],x=[],m=[];for(let g=0;g<h;g++){let b=g*f-o;for(let S=0;S<c;S++){let y=S*u-r;p.push(y,-b,0),x.push(0,0,1),m.push(S/a),m.push(1-g/l)}}for(let g=0;g<l;g++)for(let b=0;b<a;b++){let S=b+c*g,y=b+c*(g+1),C=b+1+c*(g+1),E=b+1+c*g;d.push(S,y,E),d.push(y,C,E)}this.setIndex(d),this.setAttribute("position",new Ae(p,3)),this.setAttribute("normal",new Ae(x,3)),this.setAttribute("uv",new Ae(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.widthSegments,t.heightSegments)}};var sr=class i extends Ge{constructor(t=1,e=32,n=16,s=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:t,widthSegments:e,heightSegments:n,phiStart:s,phiLength:r,thetaStart:o,thetaLength:a},e=Math.max(3,Math.floor(e)),n=Math.max(2,Math.floor(n));let l=Math.min(o+a,Math.PI),c=0,h=[],u=new G,f=new G,d=[],p=[],x=[],m=[];for(let g=0;g<=n;g++){let b=[],S=g/n,y=o+S*a,C=t*Math.cos(y),E=Math.sqrt(t*t-C*C),_=0;g===0&&o===0?_=.5/e:g===n&&l===Math.PI&&(_=-.5/e);for(let A=0;A<=e;A++){let B=A/e,U=s+B*r;u.x=-E*Math.cos(U),u.y=C,u.z=E*Math.sin(U),p.push(u.x,u.y,u.z),f.copy(u).normalize(),x.push(f.x,f.y,f.z),m.push(B+_,1-S),b.push(c++)}h.push(b)}for(let g=0;g<n;g++)for(let b=0;b<e;b++){let S=h[g][b+1],y=h[g][b],C=h[g+1][b],E=h[g+1][b+1];(g!==0||o>0)&&d.push(S,y,E),(g!==n-1||l<Math.PI)&&d.push(y,C,E)}this.setIndex(d),this.setAttribute("position",new Ae(p,3)),this.setAttribute("normal",new Ae(x,3)),this.setAttribute("uv",new Ae(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}};var el=class extends Ge{constructor(t=null){if(super(),this.type="WireframeGeometry",this.parameters={geometry:t},t!==null){let e=[],n=new Set,s=new G,r=new G;if(t.index!==null){let o=t.attributes.position,a=t.index,l=t.groups;l.length===0&&(l=[{start:0,count:a.count,materialIndex:0}]);for(let c=0,h=l.length;c<h;++c){let u=l[c],f=u.start,d=u.count;for(let p=f,x=f+d;p<x;p+=3)for(let m=0;m<3;m++){let g=a.getX(p+m),b=a.getX(p+(m+1)%3);s.fromBufferAttribute(o,g),r.fromBufferAttribute(o,b),Ng(s,r,n)===!0&&(e.push(s.x,s.y,s.z),e.push(r.x,r.y,r.z))}}}else{let o=t.attributes.position;for(let a=0,l=o.count/3;a<l;a++)for(let c=0;c<3;c++){let h=3*a+c,u=3*a+(c+1)%3;s.fromBufferAttribute(o,h),r.fromBufferAttribute(o,u),Ng(s,r,n)===!0&&(e.push(s.x,s.y,s.z),e.push(r.x,r.y,r.z))}}this.setAttribute("position",new Ae(e,3))}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}};function Ng(i,t,e){let n=`${i.x},${i.y},${i.z}-${t.x},${t.y},${t.z}`,s=`${t.x},${t.y},${t.z}-${i.x},${i.y},${i.z}`;return e.has(n)===!0||e.has(s)===!0?!1:(e.add(n),e.add(s),!0)}function Dr(i){let t={};for(let e in i){t[e]={};for(let n in i[e]){let s=i[e][n];if(Ug(s))s.isRenderTargetTexture?(qt("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),t[e][n]=null):t[e][n]=s.clone();else if(Array.isArray(s))if(Ug(s[0])){let r=[];for(let o=0,a=s.length;o<a;o++)r[o]=s[o].clone();t[e][n]=r}else t[e][n]=s.slice();else t[e][n]=s}}return t}function Jn(i){let t={};for(let e=0;e<i.length;e++){let n=Dr(i[e]);for(let s in n)t[s]=n[s]}return t}function Ug(i){return i&&(i.isColor||i.isMatrix3||i.isMatrix4||i.isVector2||i.isVector3||i.isVector4||i.isTexture||i.isQuaternion)}function cM(i){let t=[];for(let e=0;e<i.length;e++)t.push(i[e].clone());return t}function Nd(i){let t=i.getRenderTarget();return t===null?i.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:_e.workingColorSpace}var yl={clone:Dr,merge:Jn},hM=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,uM=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,_n=class extends qi{constructor(t){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=hM,this.fragmentShader=uM,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,t!==void 0&&this.setValues(t)}copy(t){return super.copy(t),this.fragmentShader=t.fragmentShader,this.vertexShader=t.vertexShader,this.uniforms=Dr(t.uniforms),this.uniformsGroups=cM(t.uniformsGroups),this.defines=Object.assign({},t.defines),this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.fog=t.fog,this.lights=t.lights,this.clipping=t.clipping,this.extensions=Object.assign({},t.extensions),this.glslVersion=t.glslVersion,this.defaultAttributeValues=Object.assign({},t.defaultAttributeValues),this.index0AttributeName=t.index0AttributeName,this.uniformsNeedUpdate=t.uniformsNeedUpdate,this}toJSON(t){let e=super.toJSON(t);e.glslVersion=this.glslVersion,e.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?e.uniforms[s]={type:"t",value:o.toJSON(t).uuid}:o&&o.isColor?e.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?e.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?e.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?e.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?e.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?e.uniforms[s]={type:"m4",value:o.toArray()}:e.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(e.defines=this.defines),e.vertexShader=this.vertexShader,e.fragmentShader=this.fragmentShader,e.lights=this.lights,e.clipping=this.clipping;let n={};for(let s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(e.extensions=n),e}fromJSON(t,e){if(super.fromJSON(t,e),t.uniforms!==void 0)for(let n in t.uniforms){let s=t.uniforms[n];switch(this.uniforms[n]={},s.type){case"t":this.uniforms[n].value=e[s.value]||null;break;case"c":this.uniforms[n].value=new oe().setHex(s.value);break;case"v2":this.uniforms[n].value=new Zt().fromArray(s.value);break;case"v3":this.uniforms[n].value=new G().fromArray(s.value);break;case"v4":this.uniforms[n].value=new Me().fromArray(s.value);break;case"m3":this.uniforms[n].value=new ee().fromArray(s.value);break;case"m4":this.uniforms[n].value=new ve().fromArray(s.value);break;default:this.uniforms[n].value=s.value}}if(t.defines!==void 0&&(this.defines=t.defines),t.vertexShader!==void 0&&(this.vertexShader=t.vertexShader),t.fragmentShader!==void 0&&(this.fragmentShader=t.fragmentShader),t.glslVersion!==void 0&&(this.glslVersion=t.glslVersion),t.extensions!==void 0)for(let n in t.extensions)this.extensions[n]=t.extensions[n];return t.lights!==void 0&&(this.lights=t.lights),t.clipping!==void 0&&(this.clipping=t.clipping),this}},ih=class extends _n{constructor(t){super(t),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}};var rr=class extends qi{constructor(t){super(),this.isMeshLambertMaterial=!0,this.type="MeshLambertMaterial",this.color=new oe(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new oe(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=au,this.normalScale=new Zt(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Ls,this.combine=yh,this.reflectivity=1,this.envMapIntensity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.envMapIntensity=t.envMapIntensity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}},sh=class extends qi{constructor(t){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=h0,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(t)}copy(t){return super.copy(t),this.depthPacking=t.depthPacking,this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this}},rh=class extends qi{constructor(t){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(t)}copy(t){return super.copy(t),this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this}};function wo(i,t){return!i||i.constructor===t?i:typeof t.BYTES_PER_ELEMENT=="number"?new t(i):Array.prototype.slice.call(i)}function Dc(i){return i!==void 0&&i.inTangents!==void 0&&i.outTangents!==void 0}var or=class{constructor(t,e,n,s){this.parameterPositions=t,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new e.constructor(n),this.sampleValues=e,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(t){let e=this.parameterPositions,n=this._cachedIndex,s=e[n],r=e[n-1];n:{t:{let o;e:{i:if(!(t<s)){for(let a=n+2;;){if(s===void 0){if(t<r)break i;return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(r=s,s=e[++n],t<s)break t}o=e.length;break e}if(!(t>=r)){let a=e[1];t<a&&(n=2,r=a);for(let l=n-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===l)break;if(s=r,r=e[--n-1],t>=r)break t}o=n,n=0;break e}break n}for(;n<o;){let a=n+o>>>1;t<e[a]?o=a:n=a+1}if(s=e[n],r=e[n-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,r,s)}return this.interpolate_(n,r,t,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(t){let e=this.resultBuffer,n=this.sampleValues,s=this.valueSize,r=t*s;for(let o=0;o!==s;++o)e[o]=n[r+o];return e}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},oh=class extends or{constructor(t,e,n,s){super(t,e,n,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:Qf,endingEnd:Qf}}intervalChanged_(t,e,n){let s=this.parameterPositions,r=t-2,o=t+1,a=s[r],l=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case td:r=t,a=2*e-n;break;case ed:r=s.length-2,a=e+s[r]-s[r+1];break;default:r=t,a=n}if(l===void 0)switch(this.getSettings_().endingEnd){case td:o=t,l=2*n-e;break;case ed:o=1,l=n+s[1]-s[0];break;default:o=t-1,l=e}let c=(n-e)*.5,h=this.valueSize;this._weightPrev=c/(e-a),this._weightNext=c/(l-n),this._offsetPrev=r*h,this._offsetNext=o*h}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this._offsetPrev,u=this._offsetNext,f=this._weightPrev,d=this._weightNext,p=(n-e)/(s-e),x=p*p,m=x*p,g=-f*m+2*f*x-f*p,b=(1+f)*m+(-1.5-2*f)*x+(-.5+f)*p+1,S=(-1-d)*m+(1.5+d)*x+.5*p,y=d*m-d*x;for(let C=0;C!==a;++C)r[C]=g*o[h+C]+b*o[c+C]+S*o[l+C]+y*o[u+C];return r}},ah=class extends or{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=(n-e)/(s-e),u=1-h;for(let f=0;f!==a;++f)r[f]=o[c+f]*u+o[l+f]*h;return r}},lh=class extends or{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t){return this.copySampleValue_(t-1)}},ch=class extends or{interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this.inTangents,u=this.outTangents;if(!h||!u){let p=(n-e)/(s-e),x=1-p;for(let m=0;m!==a;++m)r[m]=o[c+m]*x+o[l+m]*p;return r}let f=a*2,d=t-1;for(let p=0;p!==a;++p){let x=o[c+p],m=o[l+p],g=d*f+p*2,b=u[g],S=u[g+1],y=t*f+p*2,C=h[y],E=h[y+1],_=dM(n,e,b,C,s);r[p]=w0(_,x,S,E,m)}return r}};function w0(i,t,e,n,s){let r=1-i;return r*r*r*t+3*r*r*i*e+3*r*i*i*n+i*i*i*s}function fM(i,t,e,n,s){let r=1-i;return 3*r*r*(e-t)+6*r*i*(n-e)+3*i*i*(s-n)}function dM(i,t,e,n,s){let r=(i-t)/(s-t);for(let o=0;o<8;o++){let a=w0(r,t,e,n,s)-i;if(Math.abs(a)<1e-10)break;let l=fM(r,t,e,n,s);if(Math.abs(l)<1e-10)break;r=Math.max(0,Math.min(1,r-a/l))}return r}var Si=class{constructor(t,e,n,s){if(t===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(e===void 0||e.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+t);this.name=t,this.times=wo(e,this.TimeBufferType),this.values=wo(n,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(t){let e=t.constructor,n;if(e.toJSON!==this.toJSON)n=e.toJSON(t);else{n={name:t.name,times:wo(t.times,Array),values:wo(t.values,Array)};let s=t.getInterpolation();s!==t.DefaultInterpolation&&(n.interpolation=s),Dc(t.settings)&&(n.settings={inTangents:wo(t.settings.inTangents,Array),outTangents:wo(t.settings.outTangents,Array)})}return n.type=t.ValueTypeName,n}InterpolantFactoryMethodDiscrete(t){return new lh(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodLinear(t){return new ah(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodSmooth(t){return new oh(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodBezier(t){let e=new ch(this.times,this.values,this.getValueSize(),t);return this.settings&&(e.inTangents=this.settings.inTangents,e.outTangents=this.settings.outTangents),e}setInterpolation(t){let e;switch(t){case Da:e=this.InterpolantFactoryMethodDiscrete;break;case Yc:e=this.InterpolantFactoryMethodLinear;break;case Oc:e=this.InterpolantFactoryMethodSmooth;break;case jf:e=this.InterpolantFactoryMethodBezier;break}if(e===void 0){let n="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(t!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(n);return qt("KeyframeTrack:",n),this}return this.createInterpolant=e,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return Da;case this.InterpolantFactoryMethodLinear:return Yc;case this.InterpolantFactoryMethodSmooth:return Oc;case this.InterpolantFactoryMethodBezier:return jf}}getValueSize(){return this.values.length/this.times.length}shift(t){if(t!==0){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]+=t;Dc(this.settings)&&(Fg(this.settings.inTangents,t),Fg(this.settings.outTangents,t))}return this}scale(t){if(t!==1){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]*=t;Dc(this.settings)&&(Og(this.settings.inTangents,t),Og(this.settings.outTangents,t))}return this}trim(t,e){let n=this.times,s=n.length,r=0,o=s-1;for(;r!==s&&n[r]<t;)++r;for(;o!==-1&&n[o]>e;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=n.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let t=!0,e=this.getValueSize();e-Math.floor(e)!==0&&(jt("KeyframeTrack: Invalid value size in track.",this),t=!1);let n=this.times,s=this.values,r=n.length;r===0&&(jt("KeyframeTrack: Track is empty.",this),t=!1);let o=null;for(let a=0;a!==r;a++){let l=n[a];if(typeof l=="number"&&isNaN(l)){jt("KeyframeTrack: Time is not a valid number.",this,a,l),t=!1;break}if(o!==null&&o>l){jt("KeyframeTrack: Out of order keys.",this,a,l,o),t=!1;break}o=l}if(s!==void 0&&Cb(s))for(let a=0,l=s.length;a!==l;++a){let c=s[a];if(isNaN(c)){jt("KeyframeTrack: Value is not a valid number.",this,a,c),t=!1;break}}return t}optimize(){let t=this.times.slice(),e=this.values.slice(),n=this.getValueSize(),s=this.getInterpolation()===Oc,r=t.length-1,o=1;for(let a=1;a<r;++a){let l=!1,c=t[a],h=t[a+1];if(c!==h&&(a!==1||c!==t[0]))if(s)l=!0;else{let u=a*n,f=u-n,d=u+n;for(let p=0;p!==n;++p){let x=e[u+p];if(x!==e[f+p]||x!==e[d+p]){l=!0;break}}}if(l){if(a!==o){t[o]=t[a];let u=a*n,f=o*n;for(let d=0;d!==n;++d)e[f+d]=e[u+d]}++o}}if(r>0){t[o]=t[r];for(let a=r*n,l=o*n,c=0;c!==n;++c)e[l+c]=e[a+c];++o}return o!==t.length?(this.times=t.slice(0,o),this.values=e.slice(0,o*n)):(this.times=t,this.values=e),this}clone(){let t=this.times.slice(),e=this.values.slice(),n=this.constructor,s=new n(this.name,t,e);return s.createInterpolant=this.createInterpolant,Dc(this.settings)&&(s.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),s}};function Fg(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]+=t}function Og(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]*=t}Si.prototype.ValueTypeName="";Si.prototype.TimeBufferType=Float32Array;Si.prototype.ValueBufferType=Float32Array;Si.prototype.DefaultInterpolation=Yc;var ar=class extends Si{constructor(t,e,n){super(t,e,n)}};ar.prototype.ValueTypeName="bool";ar.prototype.ValueBufferType=Array;ar.prototype.DefaultInterpolation=Da;ar.prototype.InterpolantFactoryMethodLinear=void 0;ar.prototype.InterpolantFactoryMethodSmooth=void 0;var hh=class extends Si{constructor(t,e,n,s){super(t,e,n,s)}};hh.prototype.ValueTypeName="color";var uh=class extends Si{constructor(t,e,n,s){super(t,e,n,s)}};uh.prototype.ValueTypeName="number";var fh=class extends or{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=(n-e)/(s-e),c=t*a;for(let h=c+a;c!==h;c+=4)Li.slerpFlat(r,0,o,c-a,o,c,l);return r}},nl=class extends Si{constructor(t,e,n,s){super(t,e,n,s)}InterpolantFactoryMethodLinear(t){return new fh(this.times,this.values,this.getValueSize(),t)}};nl.prototype.ValueTypeName="quaternion";nl.prototype.InterpolantFactoryMethodSmooth=void 0;var lr=class extends Si{constructor(t,e,n){super(t,e,n)}};lr.prototype.ValueTypeName="string";lr.prototype.ValueBufferType=Array;lr.prototype.DefaultInterpolation=Da;lr.prototype.InterpolantFactoryMethodLinear=void 0;lr.prototype.InterpolantFactoryMethodSmooth=void 0;var dh=class extends Si{constructor(t,e,n,s){super(t,e,n,s)}};dh.prototype.ValueTypeName="vector";var ph=class{constructor(t,e,n){let s=this,r=!1,o=0,a=0,l,c=[];this.onStart=void 0,this.onLoad=t,this.onProgress=e,this.onError=n,this._abortController=null,this.itemStart=function(h){a++,r===!1&&s.onStart!==void 0&&s.onStart(h,o,a),r=!0},this.itemEnd=function(h){o++,s.onProgress!==void 0&&s.onProgress(h,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(h){s.onError!==void 0&&s.onError(h)},this.resolveURL=function(h){return h=h.normalize("NFC"),l?l(h):h},this.setURLModifier=function(h){return l=h,this},this.addHandler=function(h,u){return c.push(h,u),this},this.removeHandler=function(h){let u=c.indexOf(h);return u!==-1&&c.splice(u,2),this},this.getHandler=function(h){for(let u=0,f=c.length;u<f;u+=2){let d=c[u],p=c[u+1];if(d.global&&(d.lastIndex=0),d.test(h))return p}return null},this.abort=function(){return this.abortController.abort(),this._abortController=null,this}}get abortController(){return this._abortController||(this._abortController=new AbortController),this._abortController}},T0=new ph,mh=class{constructor(t){this.manager=t!==void 0?t:T0,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(t,e){let n=this;return new Promise(function(s,r){n.load(t,s,e,r)})}parse(){}setCrossOrigin(t){return this.crossOrigin=t,this}setWithCredentials(t){return this.withCredentials=t,this}setPath(t){return this.path=t,this}setResourcePath(t){return this.resourcePath=t,this}setRequestHeader(t){return this.requestHeader=t,this}setPriority(t){return this.priority=t,this}setCache(t){return this.cache=t,this}abort(){return this}};mh.DEFAULT_MATERIAL_NAME="__DEFAULT";var il=class extends On{static registerNode(t){this.prototype._lightNode=t}constructor(t,e=1){super(),this.isLight=!0,this.type="Light",this.color=new oe(t),this.intensity=e}copy(t,e){return super.copy(t,e),this.color.copy(t.color),this.intensity=t.intensity,this}toJSON(t){let e=super.toJSON(t);return e.object.color=this.color.getHex(),e.object.intensity=this.intensity,e}};var Jf=new ve,Bg=new G,zg=new G,gh=class{constructor(t){this.camera=t,this.intensity=1,this.bias=0,this.biasNode=null,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new Zt(512,512),this.mapType=di,this.map=null,this.mapPass=null,this.matrix=new ve,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new nr,this._frameExtents=new Zt(1,1),this._viewportCount=1,this._viewports=[new Me(0,0,1,1)]}getViewportCount(){return this._viewportCount}getCamera(){return this.camera}getFrustum(){return this._frustum}updateMatrices(t){let e=this.camera;Bg.setFromMatrixPosition(t.matrixWorld),e.position.copy(Bg),zg.setFromMatrixPosition(t.target.matrixWorld),e.lookAt(zg),e.updateMatrixWorld(),this._updateMatrix(e,this.matrix,this._frustum)}_updateMatrix(t,e,n,s){Jf.multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse),n.setFromProjectionMatrix(Jf,t.coordinateSystem,t.reversedDepth);let r=this._frameExtents,o=s?s.z/r.x:1,a=s?s.w/r.y:1,l=s?s.x/r.x:0,c=s?s.y/r.y:0;t.coordinateSystem===Lo||t.reversedDepth?e.set(.5*o,0,0,.5*o+l,0,.5*a,0,.5*a+c,0,0,1,0,0,0,0,1):e.set(.5*o,0,0,.5*o+l,0,.5*a,0,.5*a+c,0,0,.5,.5,0,0,0,1),e.multiply(Jf)}getViewport(t){return this._viewports[t]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(t){return this.camera=t.camera.clone(),this.intensity=t.intensity,this.bias=t.bias,this.radius=t.radius,this.autoUpdate=t.autoUpdate,this.needsUpdate=t.needsUpdate,this.normalBias=t.normalBias,this.blurSamples=t.blurSamples,this.mapSize.copy(t.mapSize),this.mapType=t.mapType,this.biasNode=t.biasNode,this}clone(){return new this.constructor().copy(this)}toJSON(){let t={};return t.intensity=this.intensity,t.bias=this.bias,t.normalBias=this.normalBias,t.radius=this.radius,t.blurSamples=this.blurSamples,t.mapSize=this.mapSize.toArray(),t.mapType=this.mapType,t.camera=this.camera.toJSON(!1).object,delete t.camera.matrix,t}},Nc=new G,Uc=new Li,as=new G,sl=class extends On{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new ve,this.projectionMatrix=new ve,this.projectionMatrixInverse=new ve,this.coordinateSystem=Ii,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(t,e){return super.copy(t,e),this.matrixWorldInverse.copy(t.matrixWorldInverse),this.projectionMatrix.copy(t.projectionMatrix),this.projectionMatrixInverse.copy(t.projectionMatrixInverse),this.coordinateSystem=t.coordinateSystem,this}getWorldDirection(t){return super.getWorldDirection(t).negate()}updateMatrixWorld(t){super.updateMatrixWorld(t),this.matrixWorld.decompose(Nc,Uc,as),as.x===1&&as.y===1&&as.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Nc,Uc,as.set(1,1,1)).invert()}updateWorldMatrix(t,e,n=!1){super.updateWorldMatrix(t,e,n),this.matrixWorld.decompose(Nc,Uc,as),as.x===1&&as.y===1&&as.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Nc,Uc,as.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},tr=new G,kg=new Zt,Gg=new Zt,zn=class extends sl{constructor(t=50,e=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=t,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=e,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.fov=t.fov,this.zoom=t.zoom,this.near=t.near,this.far=t.far,this.focus=t.focus,this.aspect=t.aspect,this.view=t.view===null?null:Object.assign({},t.view),this.filmGauge=t.filmGauge,this.filmOffset=t.filmOffset,this}setFocalLength(t){let e=.5*this.getFilmHeight()/t;this.fov=No*2*Math.atan(e),this.updateProjectionMatrix()}getFocalLength(){let t=Math.tan(Ia*.5*this.fov);return .5*this.getFilmHeight()/t}getEffectiveFOV(){return No*2*Math.atan(Math.tan(Ia*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(t,e,n){tr.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),e.set(tr.x,tr.y).multiplyScalar(-t/tr.z),tr.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(tr.x,tr.y).multiplyScalar(-t/tr.z)}getViewSize(t,e){return this.getViewBounds(t,kg,Gg),e.subVectors(Gg,kg)}setViewOffset(t,e,n,s,r,o){this.aspect=t/e,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=this.near,e=t*Math.tan(Ia*.5*this.fov)/this.zoom,n=2*e,s=this.aspect*n,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let l=o.fullWidth,c=o.fullHeight;r+=o.offsetX*s/l,e-=o.offsetY*n/c,s*=o.width/l,n*=o.height/c}let a=this.filmOffset;a!==0&&(r+=t*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,e,e-n,t,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.fov=this.fov,e.object.zoom=this.zoom,e.object.near=this.near,e.object.far=this.far,e.object.focus=this.focus,e.object.aspect=this.aspect,this.view!==null&&(e.object.view=Object.assign({},this.view)),e.object.filmGauge=this.filmGauge,e.object.filmOffset=this.filmOffset,e}};var Cr=class extends sl{constructor(t=-1,e=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=t,this.right=e,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.left=t.left,this.right=t.right,this.top=t.top,this.bottom=t.bottom,this.near=t.near,this.far=t.far,this.zoom=t.zoom,this.view=t.view===null?null:Object.assign({},t.view),this}setViewOffset(t,e,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=(this.right-this.left)/(2*this.zoom),e=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=n-t,o=n+t,a=s+e,l=s-e;if(this.view!==null&&this.view.enabled){let c=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,o=r+c*this.view.width,a-=h*this.view.offsetY,l=a-h*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,l,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.zoom=this.zoom,e.object.left=this.left,e.object.right=this.right,e.object.top=this.top,e.object.bottom=this.bottom,e.object.near=this.near,e.object.far=this.far,this.view!==null&&(e.object.view=Object.assign({},this.view)),e}},id=class extends gh{constructor(){super(new Cr(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}},rl=class extends il{constructor(t,e){super(t,e),this.isDirectionalLight=!0,this.type="DirectionalLight",this.position.copy(On.DEFAULT_UP),this.updateMatrix(),this.target=new On,this.shadow=new id}dispose(){super.dispose(),this.shadow.dispose()}copy(t){return super.copy(t),this.target=t.target.clone(),this.shadow=t.shadow.clone(),this}toJSON(t){let e=super.toJSON(t);return e.object.shadow=this.shadow.toJSON(),e.object.target=this.target.uuid,e}},ol=class extends il{constructor(t,e){super(t,e),this.isAmbientLight=!0,this.type="AmbientLight"}};var Rr=class extends Ge{constructor(){super(),this.isInstancedBufferGeometry=!0,this.type="InstancedBufferGeometry",this.instanceCount=1/0}copy(t){return super.copy(t),this.instanceCount=t.instanceCount,this}toJSON(){let t=super.toJSON();return t.instanceCount=this.instanceCount,t.isInstancedBufferGeometry=!0,t}};var To=-90,Ao=1,ko=class extends On{constructor(t,e,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new zn(To,Ao,t,e);s.layers=this.layers,this.add(s);let r=new zn(To,Ao,t,e);r.layers=this.layers,this.add(r);let o=new zn(To,Ao,t,e);o.layers=this.layers,this.add(o);let a=new zn(To,Ao,t,e);a.layers=this.layers,this.add(a);let l=new zn(To,Ao,t,e);l.layers=this.layers,this.add(l);let c=new zn(To,Ao,t,e);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let t=this.coordinateSystem,e=this.children.concat(),[n,s,r,o,a,l]=e;for(let c of e)this.remove(c);if(t===Ii)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(t===Lo)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+t);for(let c of e)this.add(c),c.updateMatrixWorld()}update(t,e){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==t.coordinateSystem&&(this.coordinateSystem=t.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,l,c,h]=this.children,u=t.getRenderTarget(),f=t.getActiveCubeFace(),d=t.getActiveMipmapLevel(),p=t.xr.enabled;t.xr.enabled=!1;let x=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let m=!1;t.isWebGLRenderer===!0?m=t.state.buffers.depth.getReversed():m=t.reversedDepthBuffer,t.setRenderTarget(n,0,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,r),t.setRenderTarget(n,1,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,o),t.setRenderTarget(n,2,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,a),t.setRenderTarget(n,3,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,l),t.setRenderTarget(n,4,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,c),n.texture.mipmapsAutoUpdate=x,t.setRenderTarget(n,5,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,h),t.setRenderTarget(u,f,d),t.xr.enabled=p,n.texture.needsPMREMUpdate=!0}},xh=class extends zn{constructor(t=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=t,this.perCameraFrustumCulled=!1}};var Ud="\\[\\]\\.:\\/",pM=new RegExp("["+Ud+"]","g"),Fd="[^"+Ud+"]",mM="[^"+Ud.replace("\\.","")+"]",gM=/((?:WC+[\/:])*)/.source.replace("WC",Fd),xM=/(WCOD+)?/.source.replace("WCOD",mM),_M=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",Fd),vM=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",Fd),yM=new RegExp("^"+gM+xM+_M+vM+"$"),bM=["material","materials","bones","map"],sd=class{constructor(t,e,n){let s=n||qe.parseTrackName(e);this._targetGroup=t,this._bindings=t.subscribe_(e,s)}getValue(t,e){this.bind();let n=this._targetGroup.nCachedObjects_,s=this._bindings[n];s!==void 0&&s.getValue(t,e)}setValue(t,e){let n=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=n.length;s!==r;++s)n[s].setValue(t,e)}bind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].bind()}unbind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].unbind()}},qe=class i{constructor(t,e,n){this.path=e,this.parsedPath=n||i.parseTrackName(e),this.node=i.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,e,n){return t&&t.isAnimationObjectGroup?new i.Composite(t,e,n):new i(t,e,n)}static sanitizeNodeName(t){return t.replace(/\s/g,"_").replace(pM,"")}static parseTrackName(t){let e=yM.exec(t);if(e===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+t);let n={nodeName:e[2],objectName:e[3],objectIndex:e[4],propertyName:e[5],propertyIndex:e[6]},s=n.nodeName&&n.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=n.nodeName.substring(s+1);bM.indexOf(r)!==-1&&(n.nodeName=n.nodeName.substring(0,s),n.objectName=r)}if(n.propertyName===null||n.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+t);return n}static findNode(t,e){if(e===void 0||e===""||e==="."||e===-1||e===t.name||e===t.uuid)return t;if(t.skeleton){let n=t.skeleton.getBoneByName(e);if(n!==void 0)return n}if(t.children){let n=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===e||a.uuid===e)return a;let l=n(a.children);if(l)return l}return null},s=n(t.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(t,e){t[e]=this.targetObject[this.propertyName]}_getValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)t[e++]=n[s]}_getValue_arrayElement(t,e){t[e]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(t,e){this.resolvedProperty.toArray(t,e)}_setValue_direct(t,e){this.targetObject[this.propertyName]=t[e]}_setValue_direct_setNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++]}_setValue_array_setNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(t,e){this.resolvedProperty[this.propertyIndex]=t[e]}_setValue_arrayElement_setNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(t,e){this.resolvedProperty.fromArray(t,e)}_setValue_fromArray_setNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(t,e){this.bind(),this.getValue(t,e)}_setValue_unbound(t,e){this.bind(),this.setValue(t,e)}bind(){let t=this.node,e=this.parsedPath,n=e.objectName,s=e.propertyName,r=e.propertyIndex;if(t||(t=i.findNode(this.rootNode,e.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){qt("PropertyBinding: No target node found for track: "+this.path+".");return}if(n){let c=e.objectIndex;switch(n){case"materials":if(!t.material){jt("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.materials){jt("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}t=t.material.materials;break;case"bones":if(!t.skeleton){jt("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}t=t.skeleton.bones;for(let h=0;h<t.length;h++)if(t[h].name===c){c=h;break}break;case"map":if("map"in t){t=t.map;break}if(!t.material){jt("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.map){jt("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}t=t.material.map;break;default:if(t[n]===void 0){jt("PropertyBinding: Can not bind to objectName of node undefined.",this);return}t=t[n]}if(c!==void 0){if(t[c]===void 0){jt("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,t);return}t=t[c]}}let o=t[s];if(o===void 0){let c=e.nodeName;jt("PropertyBinding: Trying to update property for track: "+c+"."+s+" but it wasn't found.",t);return}let a=this.Versioning.None;this.targetObject=t,t.isMaterial===!0?a=this.Versioning.NeedsUpdate:t.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let l=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!t.geometry){jt("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!t.geometry.morphAttributes){jt("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}t.morphTargetDictionary[r]!==void 0&&(r=t.morphTargetDictionary[r])}l=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(l=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(l=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[l],this.setValue=this.SetterByBindingTypeAndVersioning[l][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};qe.Composite=sd;qe.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};qe.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};qe.prototype.GetterByBindingType=[qe.prototype._getValue_direct,qe.prototype._getValue_array,qe.prototype._getValue_arrayElement,qe.prototype._getValue_toArray];qe.prototype.SetterByBindingTypeAndVersioning=[[qe.prototype._setValue_direct,qe.prototype._setValue_direct_setNeedsUpdate,qe.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[qe.prototype._setValue_array,qe.prototype._setValue_array_setNeedsUpdate,qe.prototype._setValue_array_setMatrixWorldNeedsUpdate],[qe.prototype._setValue_arrayElement,qe.prototype._setValue_arrayElement_setNeedsUpdate,qe.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[qe.prototype._setValue_fromArray,qe.prototype._setValue_fromArray_setNeedsUpdate,qe.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var tP=new Float32Array(1);var hs=class extends Ga{constructor(t,e,n=1){super(t,e),this.isInstancedInterleavedBuffer=!0,this.meshPerAttribute=n}copy(t){return super.copy(t),this.meshPerAttribute=t.meshPerAttribute,this}clone(t){let e=super.clone(t);return e.meshPerAttribute=this.meshPerAttribute,e}toJSON(t){let e=super.toJSON(t);return e.isInstancedInterleavedBuffer=!0,e.meshPerAttribute=this.meshPerAttribute,e}};var Vd=class Vd{constructor(t,e,n,s){this.elements=[1,0,0,1],t!==void 0&&this.set(t,e,n,s)}identity(){return this.set(1,0,0,1),this}fromArray(t,e=0){for(let n=0;n<4;n++)this.elements[n]=t[n+e];return this}set(t,e,n,s){let r=this.elements;return r[0]=t,r[2]=e,r[1]=n,r[3]=s,this}};Vd.prototype.isMatrix2=!0;var rd=Vd;var Vg=new G,Fc=new G,Eo=new G,Co=new G,Kf=new G,MM=new G,SM=new G,al=class{constructor(t=new G,e=new G){this.start=t,this.end=e}set(t,e){return this.start.copy(t),this.end.copy(e),this}copy(t){return this.start.copy(t.start),this.end.copy(t.end),this}getCenter(t){return t.addVectors(this.start,this.end).multiplyScalar(.5)}delta(t){return t.subVectors(this.end,this.start)}distanceSq(){return this.start.distanceToSquared(this.end)}distance(){return this.start.distanceTo(this.end)}at(t,e){return this.delta(e).multiplyScalar(t).add(this.start)}closestPointToPointParameter(t,e){Vg.subVectors(t,this.start),Fc.subVectors(this.end,this.start);let n=Fc.dot(Fc);if(n===0)return 0;let r=Fc.dot(Vg)/n;return e&&(r=le(r,0,1)),r}closestPointToPoint(t,e,n){let s=this.closestPointToPointParameter(t,e);return this.delta(n).multiplyScalar(s).add(this.start)}distanceSqToLine3(t,e=MM,n=SM){let s=10000000000000001e-32,r,o,a=this.start,l=t.start,c=this.end,h=t.end;Eo.subVectors(c,a),Co.subVectors(h,l),Kf.subVectors(a,l);let u=Eo.dot(Eo),f=Co.dot(Co),d=Co.dot(Kf);if(u<=s&&f<=s)return e.copy(a),n.copy(l),e.distanceToSquared(n);if(u<=s)r=0,o=d/f,o=le(o,0,1);else{let p=Eo.dot(Kf);if(f<=s)o=0,r=le(-p/u,0,1);else{let x=Eo.dot(Co),m=u*f-x*x;m!==0?r=le((x*d-p*f)/m,0,1):r=0,o=(x*r+d)/f,o<0?(o=0,r=le(-p/u,0,1)):o>1&&(o=1,r=le((x-p)/u,0,1))}}return e.copy(a).addScaledVector(Eo,r),n.copy(l).addScaledVector(Co,o),e.distanceToSquared(n)}applyMatrix4(t){return this.start.applyMatrix4(t),this.end.applyMatrix4(t),this}equals(t){return t.start.equals(this.start)&&t.end.equals(this.end)}clone(){return new this.constructor().copy(this)}};function Od(i,t,e,n){let s=wM(n);switch(e){case Md:return i*t;case Eh:return i*t/s.components*s.byteLength;case Ch:return i*t/s.components*s.byteLength;case cr:return i*t*2/s.components*s.byteLength;case Rh:return i*t*2/s.components*s.byteLength;case Sd:return i*t*3/s.components*s.byteLength;case Zi:return i*t*4/s.components*s.byteLength;case Ph:return i*t*4/s.components*s.byteLength;case pl:case ml:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case gl:case xl:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Lh:case Nh:return Math.max(i,16)*Math.max(t,8)/4;case Ih:case Dh:return Math.max(i,8)*Math.max(t,8)/2;case Uh:case Fh:case Bh:case zh:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case Oh:case _l:case kh:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Gh:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Vh:return Math.floor((i+4)/5)*Math.floor((t+3)/4)*16;case Hh:return Math.floor((i+4)/5)*Math.floor((t+4)/5)*16;case Wh:return Math.floor((i+5)/6)*Math.floor((t+4)/5)*16;case Xh:return Math.floor((i+5)/6)*Math.floor((t+5)/6)*16;case qh:return Math.floor((i+7)/8)*Math.floor((t+4)/5)*16;case Yh:return Math.floor((i+7)/8)*Math.floor((t+5)/6)*16;case $h:return Math.floor((i+7)/8)*Math.floor((t+7)/8)*16;case Zh:return Math.floor((i+9)/10)*Math.floor((t+4)/5)*16;case Jh:return Math.floor((i+9)/10)*Math.floor((t+5)/6)*16;case Kh:return Math.floor((i+9)/10)*Math.floor((t+7)/8)*16;case jh:return Math.floor((i+9)/10)*Math.floor((t+9)/10)*16;case Qh:return Math.floor((i+11)/12)*Math.floor((t+9)/10)*16;case tu:return Math.floor((i+11)/12)*Math.floor((t+11)/12)*16;case eu:case nu:case iu:return Math.ceil(i/4)*Math.ceil(t/4)*16;case su:case ru:return Math.ceil(i/4)*Math.ceil(t/4)*8;case vl:case ou:return Math.ceil(i/4)*Math.ceil(t/4)*16}throw new Error(`Unable to determine texture byte length for ${e} format.`)}function wM(i){switch(i){case di:case _d:return{byteLength:1,components:1};case Wo:case vd:case $i:return{byteLength:2,components:1};case Th:case Ah:return{byteLength:2,components:4};case Yi:case wh:case Di:return{byteLength:4,components:1};case yd:case bd:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?qt("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");function Y0(){let i=null,t=!1,e=null,n=null;function s(r,o){n=i.requestAnimationFrame(s),e(r,o)}return{start:function(){t!==!0&&e!==null&&i!==null&&(n=i.requestAnimationFrame(s),t=!0)},stop:function(){i!==null&&i.cancelAnimationFrame(n),t=!1},setAnimationLoop:function(r){e=r},setContext:function(r){i=r}}}function AM(i){let t=new WeakMap;function e(a,l){let c=a.array,h=a.usage,u=c.byteLength,f=i.createBuffer();i.bindBuffer(l,f),i.bufferData(l,c,h),a.onUploadCallback();let d;if(c instanceof Float32Array)d=i.FLOAT;else if(typeof Float16Array<"u"&&c instanceof Float16Array)d=i.HALF_FLOAT;else if(c instanceof Uint16Array)a.isFloat16BufferAttribute?d=i.HALF_FLOAT:d=i.UNSIGNED_SHORT;else if(c instanceof Int16Array)d=i.SHORT;else if(c instanceof Uint32Array)d=i.UNSIGNED_INT;else if(c instanceof Int32Array)d=i.INT;else if(c instanceof Int8Array)d=i.BYTE;else if(c instanceof Uint8Array)d=i.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)d=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:f,type:d,bytesPerElement:c.BYTES_PER_ELEMENT,version:a.version,size:u}}function n(a,l,c){let h=l.array,u=l.updateRanges;if(i.bindBuffer(c,a),u.length===0)i.bufferSubData(c,0,h);else{u.sort((d,p)=>d.start-p.start);let f=0;for(let d=1;d<u.length;d++){let p=u[f],x=u[d];x.start<=p.start+p.count+1?p.count=Math.max(p.count,x.start+x.count-p.start):(++f,u[f]=x)}u.length=f+1;for(let d=0,p=u.length;d<p;d++){let x=u[d];i.bufferSubData(c,x.start*h.BYTES_PER_ELEMENT,h,x.start,x.count)}l.clearUpdateRanges()}l.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),t.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let l=t.get(a);l&&(i.deleteBuffer(l.buffer),t.delete(a))}function o(a,l){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let h=t.get(a);(!h||h.version<a.version)&&t.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let c=t.get(a);if(c===void 0)t.set(a,e(a,l));else if(c.version<a.version){if(c.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(c.buffer,a,l),c.version=a.version}}return{get:s,remove:r,update:o}}var EM=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,CM=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,RM=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,PM=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,IM=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,LM=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,DM=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,NM=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,UM=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,FM=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,OM=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,BM=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,zM=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,kM=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,GM=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,VM=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,HM=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,WM=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,XM=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,qM=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,YM=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,$M=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,ZM=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,JM=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,KM=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,jM=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,QM=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,tS=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,eS=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,nS="gl_FragColor = linearToOutputTexel( gl_FragColor );",iS=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,sS=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,rS=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,oS=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,aS=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,lS=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,cS=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,hS=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,uS=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,fS=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,dS=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,pS=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,mS=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,gS=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,xS=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,_S=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,vS=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,yS=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,bS=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,MS=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,SS=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,wS=`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,TS=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,AS=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,ES=`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,CS=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,RS=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,PS=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,IS=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,LS=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,DS=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,NS=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,US=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,FS=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,OS=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,BS=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,zS=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,kS=`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,GS=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,VS=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,HS=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,WS=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,XS=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,qS=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,YS=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,$S=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,ZS=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,JS=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,KS=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,jS=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,QS=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,t1=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,e1=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,n1=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,i1=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,s1=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,r1=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,o1=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,a1=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,l1=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,c1=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,h1=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,u1=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,f1=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,d1=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,p1=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,m1=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,g1=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,x1=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,_1=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,v1=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,y1=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,b1=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,M1=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,S1=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,w1=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,T1=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,A1=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,E1=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,C1=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,R1=`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,P1=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,I1=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,L1=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,D1=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,N1=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,U1=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,F1=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,O1=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,B1=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,z1=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,k1=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,G1=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,V1=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,H1=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,W1=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,X1=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,q1=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,Y1=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,$1=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Z1=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,J1=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,K1=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,j1=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Q1=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,tw=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,ew=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,nw=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,iw=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,sw=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,rw=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,ue={alphahash_fragment:EM,alphahash_pars_fragment:CM,alphamap_fragment:RM,alphamap_pars_fragment:PM,alphatest_fragment:IM,alphatest_pars_fragment:LM,aomap_fragment:DM,aomap_pars_fragment:NM,batching_pars_vertex:UM,batching_vertex:FM,begin_vertex:OM,beginnormal_vertex:BM,bsdfs:zM,iridescence_fragment:kM,bumpmap_pars_fragment:GM,clipping_planes_fragment:VM,clipping_planes_pars_fragment:HM,clipping_planes_pars_vertex:WM,clipping_planes_vertex:XM,color_fragment:qM,color_pars_fragment:YM,color_pars_vertex:$M,color_vertex:ZM,common:JM,defaultnormal_vertex:KM,displacementmap_pars_vertex:jM,displacementmap_vertex:QM,emissivemap_fragment:tS,emissivemap_pars_fragment:eS,colorspace_fragment:nS,colorspace_pars_fragment:iS,envmap_fragment:sS,envmap_common_pars_fragment:rS,envmap_pars_fragment:oS,envmap_pars_vertex:aS,envmap_physical_pars_fragment:_S,envmap_vertex:lS,fog_vertex:cS,fog_pars_vertex:hS,fog_fragment:uS,fog_pars_fragment:fS,gradientmap_pars_fragment:dS,lightmap_pars_fragment:pS,lights_lambert_fragment:mS,lights_lambert_pars_fragment:gS,lights_pars_begin:xS,lights_toon_fragment:vS,lights_toon_pars_fragment:yS,lights_phong_fragment:bS,lights_phong_pars_fragment:MS,lights_physical_fragment:SS,lights_physical_pars_fragment:wS,lights_fragment_begin:TS,lights_fragment_maps:AS,lights_fragment_end:ES,lightprobes_pars_fragment:CS,logdepthbuf_fragment:RS,logdepthbuf_pars_fragment:PS,logdepthbuf_pars_vertex:IS,logdepthbuf_vertex:LS,map_fragment:DS,map_pars_fragment:NS,map_particle_fragment:US,map_particle_pars_fragment:FS,metalnessmap_fragment:OS,metalnessmap_pars_fragment:BS,morphinstance_vertex:zS,morphcolor_vertex:kS,morphnormal_vertex:GS,morphtarget_pars_vertex:VS,morphtarget_vertex:HS,normal_fragment_begin:WS,normal_fragment_maps:XS,normal_pars_fragment:qS,normal_pars_vertex:YS,normal_vertex:$S,normalmap_pars_fragment:ZS,clearcoat_normal_fragment_begin:JS,clearcoat_normal_fragment_maps:KS,clearcoat_pars_fragment:jS,iridescence_pars_fragment:QS,opaque_fragment:t1,packing:e1,premultiplied_alpha_fragment:n1,project_vertex:i1,dithering_fragment:s1,dithering_pars_fragment:r1,roughnessmap_fragment:o1,roughnessmap_pars_fragment:a1,shadowmap_pars_fragment:l1,shadowmap_pars_vertex:c1,shadowmap_vertex:h1,shadowmask_pars_fragment:u1,skinbase_vertex:f1,skinning_pars_vertex:d1,skinning_vertex:p1,skinnormal_vertex:m1,specularmap_fragment:g1,specularmap_pars_fragment:x1,tonemapping_fragment:_1,tonemapping_pars_fragment:v1,transmission_fragment:y1,transmission_pars_fragment:b1,uv_pars_fragment:M1,uv_pars_vertex:S1,uv_vertex:w1,worldpos_vertex:T1,background_vert:A1,background_frag:E1,backgroundCube_vert:C1,backgroundCube_frag:R1,cube_vert:P1,cube_frag:I1,depth_vert:L1,depth_frag:D1,distance_vert:N1,distance_frag:U1,equirect_vert:F1,equirect_frag:O1,linedashed_vert:B1,linedashed_frag:z1,meshbasic_vert:k1,meshbasic_frag:G1,meshlambert_vert:V1,meshlambert_frag:H1,meshmatcap_vert:W1,meshmatcap_frag:X1,meshnormal_vert:q1,meshnormal_frag:Y1,meshphong_vert:$1,meshphong_frag:Z1,meshphysical_vert:J1,meshphysical_frag:K1,meshtoon_vert:j1,meshtoon_frag:Q1,points_vert:tw,points_frag:ew,shadow_vert:nw,shadow_frag:iw,sprite_vert:sw,sprite_frag:rw},Pt={common:{diffuse:{value:new oe(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new ee},alphaMap:{value:null},alphaMapTransform:{value:new ee},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new ee}},envmap:{envMap:{value:null},envMapRotation:{value:new ee},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new ee}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new ee}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new ee},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new ee},normalScale:{value:new Zt(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new ee},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new ee}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new ee}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new ee}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new oe(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new oe(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new ee},alphaTest:{value:0},uvTransform:{value:new ee}},sprite:{diffuse:{value:new oe(16777215)},opacity:{value:1},center:{value:new Zt(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new ee},alphaMap:{value:null},alphaMapTransform:{value:new ee},alphaTest:{value:0}}},ci={basic:{uniforms:Jn([Pt.common,Pt.specularmap,Pt.envmap,Pt.aomap,Pt.lightmap,Pt.fog]),vertexShader:ue.meshbasic_vert,fragmentShader:ue.meshbasic_frag},lambert:{uniforms:Jn([Pt.common,Pt.specularmap,Pt.envmap,Pt.aomap,Pt.lightmap,Pt.emissivemap,Pt.bumpmap,Pt.normalmap,Pt.displacementmap,Pt.fog,Pt.lights,{emissive:{value:new oe(0)},envMapIntensity:{value:1}}]),vertexShader:ue.meshlambert_vert,fragmentShader:ue.meshlambert_frag},phong:{uniforms:Jn([Pt.common,Pt.specularmap,Pt.envmap,Pt.aomap,Pt.lightmap,Pt.emissivemap,Pt.bumpmap,Pt.normalmap,Pt.displacementmap,Pt.fog,Pt.lights,{emissive:{value:new oe(0)},specular:{value:new oe(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:ue.meshphong_vert,fragmentShader:ue.meshphong_frag},standard:{uniforms:Jn([Pt.common,Pt.envmap,Pt.aomap,Pt.lightmap,Pt.emissivemap,Pt.bumpmap,Pt.normalmap,Pt.displacementmap,Pt.roughnessmap,Pt.metalnessmap,Pt.fog,Pt.lights,{emissive:{value:new oe(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:ue.meshphysical_vert,fragmentShader:ue.meshphysical_frag},toon:{uniforms:Jn([Pt.common,Pt.aomap,Pt.lightmap,Pt.emissivemap,Pt.bumpmap,Pt.normalmap,Pt.displacementmap,Pt.gradientmap,Pt.fog,Pt.lights,{emissive:{value:new oe(0)}}]),vertexShader:ue.meshtoon_vert,fragmentShader:ue.meshtoon_frag},matcap:{uniforms:Jn([Pt.common,Pt.bumpmap,Pt.normalmap,Pt.displacementmap,Pt.fog,{matcap:{value:null}}]),vertexShader:ue.meshmatcap_vert,fragmentShader:ue.meshmatcap_frag},points:{uniforms:Jn([Pt.points,Pt.fog]),vertexShader:ue.points_vert,fragmentShader:ue.points_frag},dashed:{uniforms:Jn([Pt.common,Pt.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:ue.linedashed_vert,fragmentShader:ue.linedashed_frag},depth:{uniforms:Jn([Pt.common,Pt.displacementmap]),vertexShader:ue.depth_vert,fragmentShader:ue.depth_frag},normal:{uniforms:Jn([Pt.common,Pt.bumpmap,Pt.normalmap,Pt.displacementmap,{opacity:{value:1}}]),vertexShader:ue.meshnormal_vert,fragmentShader:ue.meshnormal_frag},sprite:{uniforms:Jn([Pt.sprite,Pt.fog]),vertexShader:ue.sprite_vert,fragmentShader:ue.sprite_frag},background:{uniforms:{uvTransform:{value:new ee},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:ue.background_vert,fragmentShader:ue.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new ee}},vertexShader:ue.backgroundCube_vert,fragmentShader:ue.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:ue.cube_vert,fragmentShader:ue.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:ue.equirect_vert,fragmentShader:ue.equirect_frag},distance:{uniforms:Jn([Pt.common,Pt.displacementmap,{referencePosition:{value:new G},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:ue.distance_vert,fragmentShader:ue.distance_frag},shadow:{uniforms:Jn([Pt.lights,Pt.fog,{color:{value:new oe(0)},opacity:{value:1}}]),vertexShader:ue.shadow_vert,fragmentShader:ue.shadow_frag}};ci.physical={uniforms:Jn([ci.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new ee},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new ee},clearcoatNormalScale:{value:new Zt(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new ee},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new ee},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new ee},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new ee},sheen:{value:0},sheenColor:{value:new oe(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new ee},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new ee},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new ee},transmissionSamplerSize:{value:new Zt},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new ee},attenuationDistance:{value:0},attenuationColor:{value:new oe(0)},specularColor:{value:new oe(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new ee},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new ee},anisotropyVector:{value:new Zt},anisotropyMap:{value:null},anisotropyMapTransform:{value:new ee}}]),vertexShader:ue.meshphysical_vert,fragmentShader:ue.meshphysical_frag};var cu={r:0,b:0,g:0},ow=new ve,$0=new ee;$0.set(-1,0,0,0,1,0,0,0,1);function aw(i,t,e,n,s,r){let o=new oe(0),a=s===!0?0:1,l,c,h=null,u=0,f=null;function d(b){let S=b.isScene===!0?b.background:null;if(S&&S.isTexture){let y=b.backgroundBlurriness>0;S=t.get(S,y)}return S}function p(b){let S=!1,y=d(b);y===null?m(o,a):y&&y.isColor&&(m(y,1),S=!0);let C=i.xr.getEnvironmentBlendMode();C==="additive"?e.buffers.color.setClear(0,0,0,1,r):C==="alpha-blend"&&e.buffers.color.setClear(0,0,0,0,r),(i.autoClear||S)&&(e.buffers.depth.setTest(!0),e.buffers.depth.setMask(!0),e.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function x(b,S){let y=d(S);y&&y.isCubeTexture?(c===void 0&&(c=new xn(new zo(1,1,1),new _n({name:"BackgroundCubeMaterial",uniforms:Dr(ci.backgroundCube.uniforms),vertexShader:ci.backgroundCube.vertexShader,fragmentShader:ci.backgroundCube.fragmentShader,side:li,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),c.geometry.deleteAttribute("uv"),c.onBeforeRender=function(C,E,_){this.matrixWorld.copyPosition(_.matrixWorld)},Object.defineProperty(c.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),n.update(c)),c.material.uniforms.envMap.value=y,c.material.uniforms.backgroundBlurriness.value=S.backgroundBlurriness,c.material.uniforms.backgroundIntensity.value=S.backgroundIntensity,c.material.uniforms.backgroundRotation.value.setFromMatrix4(ow.makeRotationFromEuler(S.backgroundRotation)).transpose(),y.isRenderTargetTexture===!1&&c.material.uniforms.backgroundRotation.value.premultiply($0),c.material.toneMapped=_e.getTransfer(y.colorSpace)!==Ce,(h!==y||u!==y.version||f!==i.toneMapping)&&(c.material.needsUpdate=!0,h=y,u=y.version,f=i.toneMapping),c.layers.enableAll(),b.unshift(c,c.geometry,c.material,0,0,null)):y&&y.isTexture&&(l===void 0&&(l=new xn(new tl(2,2),new _n({name:"BackgroundMaterial",uniforms:Dr(ci.background.uniforms),vertexShader:ci.background.vertexShader,fragmentShader:ci.background.fragmentShader,side:us,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),Object.defineProperty(l.material,"map",{get:function(){return this.uniforms.t2D.value}}),n.update(l)),l.material.uniforms.t2D.value=y,l.material.uniforms.backgroundIntensity.value=S.backgroundIntensity,l.material.toneMapped=_e.getTransfer(y.colorSpace)!==Ce,y.matrixAutoUpdate===!0&&y.updateMatrix(),l.material.uniforms.uvTransform.value.copy(y.matrix),(h!==y||u!==y.version||f!==i.toneMapping)&&(l.material.needsUpdate=!0,h=y,u=y.version,f=i.toneMapping),l.layers.enableAll(),b.unshift(l,l.geometry,l.material,0,0,null))}function m(b,S){b.getRGB(cu,Nd(i)),e.buffers.color.setClear(cu.r,cu.g,cu.b,S,r)}function g(){c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0),l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0)}return{getClearColor:function(){return o},setClearColor:function(b,S=1){o.set(b),a=S,m(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(b){a=b,m(o,a)},render:p,addToRenderList:x,dispose:g}}function lw(i,t){let e=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=f(null),r=s,o=!1;function a(N,k,W,L,X){let Z=!1,V=u(N,L,W,k);r!==V&&(r=V,c(r.object)),Z=d(N,L,W,X),Z&&p(N,L,W,X),X!==null&&t.update(X,i.ELEMENT_ARRAY_BUFFER),(Z||o)&&(o=!1,y(N,k,W,L),X!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,t.get(X).buffer))}function l(){return i.createVertexArray()}function c(N){return i.bindVertexArray(N)}function h(N){return i.deleteVertexArray(N)}function u(N,k,W,L){let X=L.wireframe===!0,Z=n[k.id];Z===void 0&&(Z={},n[k.id]=Z);let V=N.isInstancedMesh===!0?N.id:0,lt=Z[V];lt===void 0&&(lt={},Z[V]=lt);let Y=lt[W.id];Y===void 0&&(Y={},lt[W.id]=Y);let Q=Y[X];return Q===void 0&&(Q=f(l()),Y[X]=Q),Q}function f(N){let k=[],W=[],L=[];for(let X=0;X<e;X++)k[X]=0,W[X]=0,L[X]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:k,enabledAttributes:W,attributeDivisors:L,object:N,attributes:{},index:null}}function d(N,k,W,L){let X=r.attributes,Z=k.attributes,V=0,lt=W.getAttributes();for(let Y in lt)if(lt[Y].location>=0){let it=X[Y],ft=Z[Y];if(ft===void 0&&(Y==="instanceMatrix"&&N.instanceMatrix&&(ft=N.instanceMatrix),Y==="instanceColor"&&N.instanceColor&&(ft=N.instanceColor)),it===void 0||it.attribute!==ft||ft&&it.data!==ft.data)return!0;V++}return r.attributesNum!==V||r.index!==L}function p(N,k,W,L){let X={},Z=k.attributes,V=0,lt=W.getAttributes();for(let Y in lt)if(lt[Y].location>=0){let it=Z[Y];it===void 0&&(Y==="instanceMatrix"&&N.instanceMatrix&&(it=N.instanceMatrix),Y==="instanceColor"&&N.instanceColor&&(it=N.instanceColor));let ft={};ft.attribute=it,it&&it.data&&(ft.data=it.data),X[Y]=ft,V++}r.attributes=X,r.attributesNum=V,r.index=L}function x(){let N=r.newAttributes;for(let k=0,W=N.length;k<W;k++)N[k]=0}function m(N){g(N,0)}function g(N,k){let W=r.newAttributes,L=r.enabledAttributes,X=r.attributeDivisors;W[N]=1,L[N]===0&&(i.enableVertexAttribArray(N),L[N]=1),X[N]!==k&&(i.vertexAttribDivisor(N,k),X[N]=k)}function b(){let N=r.newAttributes,k=r.enabledAttributes;for(let W=0,L=k.length;W<L;W++)k[W]!==N[W]&&(i.disableVertexAttribArray(W),k[W]=0)}function S(N,k,W,L,X,Z,V){V===!0?i.vertexAttribIPointer(N,k,W,X,Z):i.vertexAttribPointer(N,k,W,L,X,Z)}function y(N,k,W,L){x();let X=L.attributes,Z=W.getAttributes(),V=k.defaultAttributeValues;for(let lt in Z){let Y=Z[lt];if(Y.location>=0){let Q=X[lt];if(Q===void 0&&(lt==="instanceMatrix"&&N.instanceMatrix&&(Q=N.instanceMatrix),lt==="instanceColor"&&N.instanceColor&&(Q=N.instanceColor)),Q!==void 0){let it=Q.normalized,ft=Q.itemSize,ut=t.get(Q);if(ut===void 0)continue;let tt=ut.buffer,mt=ut.type,_t=ut.bytesPerElement,Et=mt===i.INT||mt===i.UNSIGNED_INT||Q.gpuType===wh;if(Q.isInterleavedBufferAttribute){let Mt=Q.data,Ht=Mt.isInterleavedBuffer===!0?Mt.stride:Mt.itemSize,se=Q.offset;if(Mt.isInstancedInterleavedBuffer||Mt.isInstancedBufferAttribute){for(let Gt=0;Gt<Y.locationSize;Gt++)g(Y.location+Gt,Mt.meshPerAttribute);N.isInstancedMesh!==!0&&L._maxInstanceCount===void 0&&(L._maxInstanceCount=Mt.meshPerAttribute*Mt.count)}else for(let Gt=0;Gt<Y.locationSize;Gt++)m(Y.location+Gt);i.bindBuffer(i.ARRAY_BUFFER,tt);for(let Gt=0;Gt<Y.locationSize;Gt++)S(Y.location+Gt,ft/Y.locationSize,mt,it,Ht*_t,(se+ft/Y.locationSize*Gt)*_t,Et)}else{if(Q.isInstancedBufferAttribute){for(let Mt=0;Mt<Y.locationSize;Mt++)g(Y.location+Mt,Q.meshPerAttribute);N.isInstancedMesh!==!0&&L._maxInstanceCount===void 0&&(L._maxInstanceCount=Q.meshPerAttribute*Q.count)}else for(let Mt=0;Mt<Y.locationSize;Mt++)m(Y.location+Mt);i.bindBuffer(i.ARRAY_BUFFER,tt);for(let Mt=0;Mt<Y.locationSize;Mt++)S(Y.location+Mt,ft/Y.locationSize,mt,it,ft*_t,ft/Y.locationSize*Mt*_t,Et)}}else if(V!==void 0){let it=V[lt];if(it!==void 0)switch(it.length){case 2:i.vertexAttrib2fv(Y.location,it);break;case 3:i.vertexAttrib3fv(Y.location,it);break;case 4:i.vertexAttrib4fv(Y.location,it);break;default:i.vertexAttrib1fv(Y.location,it)}}}}b()}function C(){B();for(let N in n){let k=n[N];for(let W in k){let L=k[W];for(let X in L){let Z=L[X];for(let V in Z)h(Z[V].object),delete Z[V];delete L[X]}}delete n[N]}}function E(N){if(n[N.id]===void 0)return;let k=n[N.id];for(let W in k){let L=k[W];for(let X in L){let Z=L[X];for(let V in Z)h(Z[V].object),delete Z[V];delete L[X]}}delete n[N.id]}function _(N){for(let k in n){let W=n[k];for(let L in W){let X=W[L];if(X[N.id]===void 0)continue;let Z=X[N.id];for(let V in Z)h(Z[V].object),delete Z[V];delete X[N.id]}}}function A(N){for(let k in n){let W=n[k],L=N.isInstancedMesh===!0?N.id:0,X=W[L];if(X!==void 0){for(let Z in X){let V=X[Z];for(let lt in V)h(V[lt].object),delete V[lt];delete X[Z]}delete W[L],Object.keys(W).length===0&&delete n[k]}}}function B(){U(),o=!0,r!==s&&(r=s,c(r.object))}function U(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:B,resetDefaultState:U,dispose:C,releaseStatesOfGeometry:E,releaseStatesOfObject:A,releaseStatesOfProgram:_,initAttributes:x,enableAttribute:m,disableUnusedAttributes:b}}function cw(i,t,e){let n;function s(l){n=l}function r(l,c){i.drawArrays(n,l,c),e.update(c,n,1)}function o(l,c,h){h!==0&&(i.drawArraysInstanced(n,l,c,h),e.update(c,n,h))}function a(l,c,h){if(h===0)return;t.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,l,0,c,0,h);let f=0;for(let d=0;d<h;d++)f+=c[d];e.update(f,n,1)}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function hw(i,t,e,n){let s;function r(){if(s!==void 0)return s;if(t.has("EXT_texture_filter_anisotropic")===!0){let _=t.get("EXT_texture_filter_anisotropic");s=i.getParameter(_.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(_){return!(_!==Zi&&n.convert(_)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(_){let A=_===$i&&(t.has("EXT_color_buffer_half_float")||t.has("EXT_color_buffer_float"));return!(_!==di&&_!==Di&&!A&&n.convert(_)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE))}function l(_){if(_==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";_="mediump"}return _==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=e.precision!==void 0?e.precision:"highp",h=l(c);h!==c&&(qt("WebGLRenderer:",c,"not supported, using",h,"instead."),c=h);let u=e.reversedDepthBuffer===!0&&t.has("EXT_clip_control"),f=e.logarithmicDepthBuffer===!0&&u===!1;e.reversedDepthBuffer===!0&&u===!1&&qt("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),e.logarithmicDepthBuffer===!0&&u===!0&&qt("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let d=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),p=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),x=i.getParameter(i.MAX_TEXTURE_SIZE),m=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),g=i.getParameter(i.MAX_VERTEX_ATTRIBS),b=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),S=i.getParameter(i.MAX_VARYING_VECTORS),y=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),C=i.getParameter(i.MAX_SAMPLES),E=i.getParameter(i.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:o,textureTypeReadable:a,precision:c,logarithmicDepthBuffer:f,reversedDepthBuffer:u,maxTextures:d,maxVertexTextures:p,maxTextureSize:x,maxCubemapSize:m,maxAttributes:g,maxVertexUniforms:b,maxVaryings:S,maxFragmentUniforms:y,maxSamples:C,samples:E}}function uw(i){let t=this,e=null,n=0,s=!1,r=!1,o=new Xi,a=new ee,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(u,f){let d=u.length!==0||f||n!==0||s;return s=f,n=u.length,d},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(u,f){e=h(u,f,0)},this.setState=function(u,f,d){let p=u.clippingPlanes,x=u.clipIntersection,m=u.clipShadows,g=i.get(u);if(!s||p===null||p.length===0||r&&!m)r?h(null):c();else{let b=r?0:n,S=b*4,y=g.clippingState||null;l.value=y,y=h(p,f,S,d);for(let C=0;C!==S;++C)y[C]=e[C];g.clippingState=y,this.numIntersection=x?this.numPlanes:0,this.numPlanes+=b}};function c(){l.value!==e&&(l.value=e,l.needsUpdate=n>0),t.numPlanes=n,t.numIntersection=0}function h(u,f,d,p){let x=u!==null?u.length:0,m=null;if(x!==0){if(m=l.value,p!==!0||m===null){let g=d+x*4,b=f.matrixWorldInverse;a.getNormalMatrix(b),(m===null||m.length<g)&&(m=new Float32Array(g));for(let S=0,y=d;S!==x;++S,y+=4)o.copy(u[S]).applyMatrix4(b,a),o.normal.toArray(m,y),m[y+3]=o.constant}l.value=m,l.needsUpdate=!0}return t.numPlanes=x,t.numIntersection=0,m}}var Sl=class extends Mi{constructor(t=1,e={}){super(t,t,e),this.isWebGLCubeRenderTarget=!0;let n={width:t,height:t,depth:1},s=[n,n,n,n,n,n];this.texture=new $a(s),this._setTextureOptions(e),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(t,e){this.texture.type=e.type,this.texture.colorSpace=e.colorSpace,this.texture.generateMipmaps=e.generateMipmaps,this.texture.minFilter=e.minFilter,this.texture.magFilter=e.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new zo(5,5,5),r=new _n({name:"CubemapFromEquirect",uniforms:Dr(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:li,blending:Pr});r.uniforms.tEquirect.value=e;let o=new xn(s,r),a=e.minFilter;return e.minFilter===Fs&&(e.minFilter=ri),new ko(1,10,this).update(t,o),e.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(t,e=!0,n=!0,s=!0){let r=t.getRenderTarget();for(let o=0;o<6;o++)t.setRenderTarget(this,o),t.clear(e,n,s);t.setRenderTarget(r)}},A0=256,fw=3,dw=20,Z0=256,J0=16,pw=3,mw=new G,gw=new oe,uu=class i{constructor(t){this._renderer=t,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new ko(1,10,null),this._boxMesh=new xn(new zo(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(t,e=0,n=.1,s=100,r={}){let{size:o=256,position:a=mw}=r,l=this._renderer;this._setSize(o);let c=this._allocateTarget(),h=this._getSourceTarget(!0);e>0&&(h.texture.mipmapsAutoUpdate=!1);let u=l.autoClear,f=l.autoClearColor,d=l.autoClearDepth,p=l.autoClearStencil,x=t.background;l.autoClear=!0,l.autoClearColor=!0,l.autoClearDepth=!0,l.autoClearStencil=!0,x===null&&(t.background=l.getClearColor(gw));let m=new ko(n,s,h);return m.position.copy(a),m.update(l,t),l.autoClear=u,l.autoClearColor=f,l.autoClearDepth=d,l.autoClearStencil=p,t.background=x,e>0&&(h.texture.mipmapsAutoUpdate=!0,this._blur(c,e)),this._applyPMREM(c),c}fromEquirectangular(t,e=null){return this._fromTexture(t,e)}fromCubemap(t,e=null){return this._fromTexture(t,e)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=R0(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=C0(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(t,e){return e>0?1-Math.sqrt(1-t/e):0}_setSize(t){this._cubeSize=Math.max(A0,Pd(t))}_fromTexture(t,e){t.mapping===Ir||t.mapping===Ho?this._setSize(t.image.length===0?A0:t.image[0].width||t.image[0].image.width):this._setSize(t.image.width/4);let n=e||this._allocateTarget();return this._textureToCubemap(t),this._applyPMREM(n),n}_allocateTarget(){let t=this._cubeSize,e=E0(t,!1,!1),n=Math.log2(t)-fw;for(let s=0;s<=n;s++)e.texture.mipmaps.push({width:t>>s,height:t>>s});return e.texture.name="PMREM",e.texture.isPMREMTexture=!0,e}_getSourceTarget(t=!1){let e=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==e||t&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=E0(e,!0,t)),this._sourceTarget}_compileMaterial(t){this._boxMesh.material=t,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(t,e,n){let s=this._boxMesh,r=this._cubeCamera;s.material=n,r.renderTarget=t,r.activeMipmapLevel=e;let o=t.width>>e;t.viewport.set(0,0,o,o),r.update(this._renderer,s),t.viewport.set(0,0,t.width,t.height)}_textureToCubemap(t){let e;t.mapping===Ir||t.mapping===Ho?(this._cubemapMaterial===null&&(this._cubemapMaterial=R0()),e=this._cubemapMaterial,e.uniforms.flipEnvMap.value=t.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=C0()),e=this._equirectMaterial),e.uniforms.envMap.value=t,this._renderCube(this._getSourceTarget(),0,e)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=xw(),this._integrationMaterial=_w());let e=this._cubeSize,n=t.texture.mipmaps.length-1,s=this._ggxMaterial.uniforms;s.envMap.value=this._sourceTarget.texture;let r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(e/J0);for(let o=0;o<=n;o++){let a=i.lodToRoughness(o,n);if(o>n-pw)r.roughness.value=a,this._renderCube(t,o,this._integrationMaterial);else{let l=a>0?Math.log2(e)+.5*Math.log2(6/(Z0*Math.pow(a,4)))+.5:0;s.roughness.value=a,s.lodBias.value=l,this._renderCube(t,o,this._ggxMaterial)}}}_blur(t,e){this._blurMaterial===null&&(this._blurMaterial=vw());let n=this._blurMaterial,s=n.uniforms,r=this._sourceTarget;s.sigma.value=Math.min(e,Math.PI)/Math.SQRT2,s.envMap.value=r.texture,this._renderCube(t,0,n),s.envMap.value=t.texture,this._renderCube(r,0,n)}};function E0(i,t,e){return new Sl(i,{minFilter:Fs,generateMipmaps:t,type:$i,colorSpace:$n,depthBuffer:e})}function wl(i,t,e){return new _n({name:i,uniforms:t,vertexShader:ue.cube_vert,fragmentShader:e,side:li,blending:Pr,depthTest:!1,depthWrite:!1})}function xw(){return wl("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${Z0}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function _w(){return wl("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:J0}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function vw(){return wl("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${dw}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function C0(){return wl("PMREMEquirectangularToCubemap",{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function R0(){return wl("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function yw(i){let t=new WeakMap,e=new WeakMap,n=null;function s(f,d=!1){return f==null?null:d?o(f):r(f)}function r(f){if(f&&f.isTexture){let d=f.mapping;if(d===bh||d===Mh)if(t.has(f)){let p=t.get(f).texture;return a(p,f.mapping)}else{let p=f.image;if(p&&p.height>0){let x=new Sl(p.height);return x.fromEquirectangularTexture(i,f),t.set(f,x),f.addEventListener("dispose",c),a(x.texture,f.mapping)}else return null}}return f}function o(f){if(f&&f.isTexture&&f.isPMREMTexture!==!0){let d=f.mapping,p=d===bh||d===Mh,x=d===Ir||d===Ho;if(p||x){let m=e.get(f),g=m!==void 0?m.texture.pmremVersion:0;if(f.isRenderTargetTexture&&f.pmremVersion!==g)return n===null&&(n=new uu(i)),m=p?n.fromEquirectangular(f,m):n.fromCubemap(f,m),m.texture.pmremVersion=f.pmremVersion,e.set(f,m),m.texture;if(m!==void 0)return m.texture;{let b=f.image;return p&&b&&b.height>0||x&&b&&l(b)?(n===null&&(n=new uu(i)),m=p?n.fromEquirectangular(f):n.fromCubemap(f),m.texture.pmremVersion=f.pmremVersion,e.set(f,m),f.addEventListener("dispose",h),m.texture):null}}}return f}function a(f,d){return d===bh?f.mapping=Ir:d===Mh&&(f.mapping=Ho),f}function l(f){let d=0,p=6;for(let x=0;x<p;x++)f[x]!==void 0&&d++;return d===p}function c(f){let d=f.target;d.removeEventListener("dispose",c);let p=t.get(d);p!==void 0&&(t.delete(d),p.dispose())}function h(f){let d=f.target;d.removeEventListener("dispose",h);let p=e.get(d);p!==void 0&&(e.delete(d),p.dispose())}function u(){t=new WeakMap,e=new WeakMap,n!==null&&(n.dispose(),n=null)}return{get:s,dispose:u}}function bw(i){let t={};function e(n){if(t[n]!==void 0)return t[n];let s=i.getExtension(n);return t[n]=s,s}return{has:function(n){return e(n)!==null},init:function(){e("EXT_color_buffer_float"),e("WEBGL_clip_cull_distance"),e("OES_texture_float_linear"),e("EXT_color_buffer_half_float"),e("WEBGL_multisampled_render_to_texture"),e("WEBGL_render_shared_exponent")},get:function(n){let s=e(n);return s===null&&Pa("WebGLRenderer: "+n+" extension not supported."),s}}}function Mw(i,t,e,n){let s={},r=new WeakMap,o=new FinalizationRegistry(p=>delete s[p]);function a(p){l(p.target)}function l(p){p.index!==null&&t.remove(p.index);for(let m in p.attributes)t.remove(p.attributes[m]);p.removeEventListener("dispose",a),delete s[p.id],o.unregister(p);let x=r.get(p);x&&(t.remove(x),r.delete(p)),n.releaseStatesOfGeometry(p),p.isInstancedBufferGeometry===!0&&delete p._maxInstanceCount,e.memory.geometries--}function c(p,x){return s[x.id]!==void 0||(x.addEventListener("dispose",a),s[x.id]=new WeakRef(x),o.register(x,x.id,x),e.memory.geometries++),x}function h(p){let x=p.attributes;for(let m in x)t.update(x[m],i.ARRAY_BUFFER)}function u(p){let x=p.index,m=p.attributes.position,g=0;if(m===void 0)return;let b=x!==null?x.array.length:m.array.length/3-1,S=m.count>=65535?ka:za,y=new S(Math.ceil(b/3)*6,1),C=y.array;if(x!==null){let _=x.array;g=x.version;for(let A=0,B=0;A<b;A+=3){let U=_[A+0],N=_[A+1],k=_[A+2];C[B++]=U,C[B++]=N,C[B++]=N,C[B++]=k,C[B++]=k,C[B++]=U}}else{g=m.version;for(let _=0,A=0;_<b;_+=3){let B=_+0,U=_+1,N=_+2;C[A++]=B,C[A++]=U,C[A++]=U,C[A++]=N,C[A++]=N,C[A++]=B}}y.version=g;let E=r.get(p);E&&t.remove(E),r.set(p,y)}function f(p){let x=r.get(p);if(x){let m=p.index;m!==null&&x.version<m.version&&u(p)}else u(p);return r.get(p)}function d(){for(let p in s){let x=s[p].deref();x!==void 0&&l(x)}}return{get:c,update:h,getWireframeAttribute:f,dispose:d}}function Sw(i,t,e){let n;function s(u){n=u}let r,o;function a(u){r=u.type,o=u.bytesPerElement}function l(u,f){i.drawElements(n,f,r,u*o),e.update(f,n,1)}function c(u,f,d){d!==0&&(i.drawElementsInstanced(n,f,r,u*o,d),e.update(f,n,d))}function h(u,f,d){if(d===0)return;t.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,f,0,r,u,0,d);let x=0;for(let m=0;m<d;m++)x+=f[m];e.update(x,n,1)}this.setMode=s,this.setIndex=a,this.render=l,this.renderInstances=c,this.renderMultiDraw=h}function ww(i){let t={geometries:0,textures:0},e={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(e.calls++,o){case i.TRIANGLES:e.triangles+=a*(r/3);break;case i.LINES:e.lines+=a*(r/2);break;case i.LINE_STRIP:e.lines+=a*(r-1);break;case i.LINE_LOOP:e.lines+=a*r;break;case i.POINTS:e.points+=a*r;break;default:jt("WebGLInfo: Unknown draw mode:",o);break}}function s(){e.calls=0,e.triangles=0,e.points=0,e.lines=0}return{memory:t,render:e,programs:null,autoReset:!0,reset:s,update:n}}function Tw(i,t,e){let n=new WeakMap,s=new Me;function r(o,a,l){let c=o.morphTargetInfluences,h=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,u=h!==void 0?h.length:0,f=n.get(a);if(f===void 0||f.count!==u){let B=function(){_.dispose(),n.delete(a),a.removeEventListener("dispose",B)};f!==void 0&&f.texture.dispose();let d=a.morphAttributes.position!==void 0,p=a.morphAttributes.normal!==void 0,x=a.morphAttributes.color!==void 0,m=a.morphAttributes.position||[],g=a.morphAttributes.normal||[],b=a.morphAttributes.color||[],S=0;d===!0&&(S=1),p===!0&&(S=2),x===!0&&(S=3);let y=a.attributes.position.count*S,C=1;y>t.maxTextureSize&&(C=Math.ceil(y/t.maxTextureSize),y=t.maxTextureSize);let E=new Float32Array(y*C*4*u),_=new Oa(E,y,C,u);_.type=Di,_.needsUpdate=!0;let A=S*4;for(let U=0;U<u;U++){let N=m[U],k=g[U],W=b[U],L=y*C*4*U;for(let X=0;X<N.count;X++){let Z=X*A;d===!0&&(s.fromBufferAttribute(N,X),E[L+Z+0]=s.x,E[L+Z+1]=s.y,E[L+Z+2]=s.z,E[L+Z+3]=0),p===!0&&(s.fromBufferAttribute(k,X),E[L+Z+4]=s.x,E[L+Z+5]=s.y,E[L+Z+6]=s.z,E[L+Z+7]=0),x===!0&&(s.fromBufferAttribute(W,X),E[L+Z+8]=s.x,E[L+Z+9]=s.y,E[L+Z+10]=s.z,E[L+Z+11]=W.itemSize===4?s.w:1)}}f={count:u,texture:_,size:new Zt(y,C)},n.set(a,f),a.addEventListener("dispose",B)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)l.getUniforms().setValue(i,"morphTexture",o.morphTexture,e);else{let d=0;for(let x=0;x<c.length;x++)d+=c[x];let p=a.morphTargetsRelative?1:1-d;l.getUniforms().setValue(i,"morphTargetBaseInfluence",p),l.getUniforms().setValue(i,"morphTargetInfluences",c)}l.getUniforms().setValue(i,"morphTargetsTexture",f.texture,e),l.getUniforms().setValue(i,"morphTargetsTextureSize",f.size)}return{update:r}}function Aw(i,t,e,n,s){let r=new WeakMap;function o(c){let h=s.render.frame,u=c.geometry,f=t.get(c,u);if(r.get(f)!==h&&(t.update(f),r.set(f,h)),c.isInstancedMesh&&(c.hasEventListener("dispose",l)===!1&&c.addEventListener("dispose",l),r.get(c)!==h&&(e.update(c.instanceMatrix,i.ARRAY_BUFFER),c.instanceColor!==null&&e.update(c.instanceColor,i.ARRAY_BUFFER),r.set(c,h))),c.isSkinnedMesh){let d=c.skeleton;r.get(d)!==h&&(d.update(),r.set(d,h))}return f}function a(){r=new WeakMap}function l(c){let h=c.target;h.removeEventListener("dispose",l),n.releaseStatesOfObject(h),e.remove(h.instanceMatrix),h.instanceColor!==null&&e.remove(h.instanceColor)}return{update:o,dispose:a}}var Ew={[hd]:"LINEAR_TONE_MAPPING",[ud]:"REINHARD_TONE_MAPPING",[fd]:"CINEON_TONE_MAPPING",[dd]:"ACES_FILMIC_TONE_MAPPING",[md]:"AGX_TONE_MAPPING",[gd]:"NEUTRAL_TONE_MAPPING",[pd]:"CUSTOM_TONE_MAPPING"};function Cw(i,t,e,n,s,r){let o=new Mi(t,e,{type:i,depthBuffer:s,stencilBuffer:r,samples:n?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,l=null,c=null,h=new Ge;h.setAttribute("position",new Ae([-1,3,0,-1,-1,0,3,-1,0],3)),h.setAttribute("uv",new Ae([0,2,0,0,2,0],2));let u=new ih({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),f=new xn(h,u),d=new Cr(-1,1,1,-1,0,1),p=null,x=null,m=!1,g,b=null,S=[],y=!1;this.setSize=function(C,E){o.setSize(C,E),a!==null&&a.setSize(C,E),l!==null&&l.setSize(C,E);for(let _=0;_<S.length;_++){let A=S[_];A.setSize&&A.setSize(C,E)}},this.setEffects=function(C){S=C,y=S.length>0&&S[0].isRenderPass===!0;let E=o.width,_=o.height;S.length>0&&a===null&&(a=new Mi(E,_,{type:$i,depthBuffer:!1,stencilBuffer:!1}),l=new Mi(E,_,{type:$i,depthBuffer:!1,stencilBuffer:!1}));let A=s===!0&&S.some(B=>B.needsDepthTexture===!0);A!==(o.depthTexture!==null)&&(A===!0&&c===null&&(c=new Ns(E,_),r===!0&&(c.format=Os,c.type=Lr)),o.dispose(),o.depthTexture=A?c:null,o.resolveDepthBuffer=A,o.storeMultisampledDepthBuffer=A);for(let B=0;B<S.length;B++){let U=S[B];U.setSize&&U.setSize(E,_),A&&U.needsDepthTexture===!0&&U.setDepthTexture&&U.setDepthTexture(c)}},this.begin=function(C,E){if(m||C.toneMapping===fs&&S.length===0)return!1;if(b=E,E!==null){let _=E.width,A=E.height;(o.width!==_||o.height!==A)&&this.setSize(_,A)}return y===!1&&C.setRenderTarget(o),g=C.toneMapping,C.toneMapping=fs,!0},this.hasRenderPass=function(){return y},this.end=function(C,E){C.toneMapping=g,m=!0;let _=o,A=a;for(let B=0;B<S.length;B++){let U=S[B];U.enabled!==!1&&(U.render(C,A,_,E),U.needsSwap!==!1&&(_=A,A=A===a?l:a))}if(p!==C.outputColorSpace||x!==C.toneMapping){p=C.outputColorSpace,x=C.toneMapping,u.defines={},_e.getTransfer(p)===Ce&&(u.defines.SRGB_TRANSFER="");let B=Ew[x];B&&(u.defines[B]=""),u.needsUpdate=!0}u.uniforms.tDiffuse.value=_.texture,C.setRenderTarget(b),C.render(f,d),b=null,m=!1},this.isCompositing=function(){return m},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),l!==null&&l.dispose(),h.dispose(),u.dispose()}}var K0=new oi,j0=new Ns(1,1),Q0=new Ja(1),tx=new Oa,ex=new Jc,nx=new $a,P0=[],I0=[],L0=new Float32Array(16),D0=new Float32Array(9),N0=new Float32Array(4);function Yo(i,t,e){let n=i[0];if(n<=0||n>0)return i;let s=t*e,r=P0[s];if(r===void 0&&(r=new Float32Array(s),P0[s]=r),t!==0){n.toArray(r,0);for(let o=1,a=0;o!==t;++o)a+=e,i[o].toArray(r,a)}return r}function Sn(i,t){if(i.length!==t.length)return!1;for(let e=0,n=i.length;e<n;e++)if(i[e]!==t[e])return!1;return!0}function wn(i,t){for(let e=0,n=t.length;e<n;e++)i[e]=t[e]}function fu(i,t){let e=I0[t];e===void 0&&(e=new Int32Array(t),I0[t]=e);for(let n=0;n!==t;++n)e[n]=i.allocateTextureUnit();return e}function Rw(i,t){let e=this.cache;e[0]!==t&&(i.uniform1f(this.addr,t),e[0]=t)}function Pw(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2f(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Sn(e,t))return;i.uniform2fv(this.addr,t),wn(e,t)}}function Iw(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3f(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else if(t.r!==void 0)(e[0]!==t.r||e[1]!==t.g||e[2]!==t.b)&&(i.uniform3f(this.addr,t.r,t.g,t.b),e[0]=t.r,e[1]=t.g,e[2]=t.b);else{if(Sn(e,t))return;i.uniform3fv(this.addr,t),wn(e,t)}}function Lw(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4f(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Sn(e,t))return;i.uniform4fv(this.addr,t),wn(e,t)}}function Dw(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(Sn(e,t))return;i.uniformMatrix2fv(this.addr,!1,t),wn(e,t)}else{if(Sn(e,n))return;N0.set(n),i.uniformMatrix2fv(this.addr,!1,N0),wn(e,n)}}function Nw(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(Sn(e,t))return;i.uniformMatrix3fv(this.addr,!1,t),wn(e,t)}else{if(Sn(e,n))return;D0.set(n),i.uniformMatrix3fv(this.addr,!1,D0),wn(e,n)}}function Uw(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(Sn(e,t))return;i.uniformMatrix4fv(this.addr,!1,t),wn(e,t)}else{if(Sn(e,n))return;L0.set(n),i.uniformMatrix4fv(this.addr,!1,L0),wn(e,n)}}function Fw(i,t){let e=this.cache;e[0]!==t&&(i.uniform1i(this.addr,t),e[0]=t)}function Ow(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2i(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Sn(e,t))return;i.uniform2iv(this.addr,t),wn(e,t)}}function Bw(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3i(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(Sn(e,t))return;i.uniform3iv(this.addr,t),wn(e,t)}}function zw(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4i(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Sn(e,t))return;i.uniform4iv(this.addr,t),wn(e,t)}}function kw(i,t){let e=this.cache;e[0]!==t&&(i.uniform1ui(this.addr,t),e[0]=t)}function Gw(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2ui(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Sn(e,t))return;i.uniform2uiv(this.addr,t),wn(e,t)}}function Vw(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3ui(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(Sn(e,t))return;i.uniform3uiv(this.addr,t),wn(e,t)}}function Hw(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4ui(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Sn(e,t))return;i.uniform4uiv(this.addr,t),wn(e,t)}}function du(i){return i.version===0&&(i.compareFunction=Ad,i.needsUpdate=!0),i}function Ww(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?r=du(j0):r=K0,e.setTexture2D(t||r,s)}function Xw(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture3D(t||ex,s)}function qw(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_CUBE_SHADOW?r=du(Q0):r=nx,e.setTextureCube(t||r,s)}function Yw(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture2DArray(t||tx,s)}function $w(i){switch(i){case 5126:return Rw;case 35664:return Pw;case 35665:return Iw;case 35666:return Lw;case 35674:return Dw;case 35675:return Nw;case 35676:return Uw;case 5124:case 35670:return Fw;case 35667:case 35671:return Ow;case 35668:case 35672:return Bw;case 35669:case 35673:return zw;case 5125:return kw;case 36294:return Gw;case 36295:return Vw;case 36296:return Hw;case 35678:case 36198:case 36298:case 36306:case 35682:return Ww;case 35679:case 36299:case 36307:return Xw;case 35680:case 36300:case 36308:case 36293:return qw;case 36289:case 36303:case 36311:case 36292:return Yw}}function Zw(i,t){i.uniform1fv(this.addr,t)}function Jw(i,t){let e=Yo(t,this.size,2);i.uniform2fv(this.addr,e)}function Kw(i,t){let e=Yo(t,this.size,3);i.uniform3fv(this.addr,e)}function jw(i,t){let e=Yo(t,this.size,4);i.uniform4fv(this.addr,e)}function Qw(i,t){let e=Yo(t,this.size,4);i.uniformMatrix2fv(this.addr,!1,e)}function tT(i,t){let e=Yo(t,this.size,9);i.uniformMatrix3fv(this.addr,!1,e)}function eT(i,t){let e=Yo(t,this.size,16);i.uniformMatrix4fv(this.addr,!1,e)}function nT(i,t){i.uniform1iv(this.addr,t)}function iT(i,t){i.uniform2iv(this.addr,t)}function sT(i,t){i.uniform3iv(this.addr,t)}function rT(i,t){i.uniform4iv(this.addr,t)}function oT(i,t){i.uniform1uiv(this.addr,t)}function aT(i,t){i.uniform2uiv(this.addr,t)}function lT(i,t){i.uniform3uiv(this.addr,t)}function cT(i,t){i.uniform4uiv(this.addr,t)}function hT(i,t,e){let n=this.cache,s=t.length,r=fu(e,s);Sn(n,r)||(i.uniform1iv(this.addr,r),wn(n,r));let o;this.type===i.SAMPLER_2D_SHADOW?o=du(j0):o=K0;for(let a=0;a!==s;++a)e.setTexture2D(t[a]||o,r[a])}function uT(i,t,e){let n=this.cache,s=t.length,r=fu(e,s);Sn(n,r)||(i.uniform1iv(this.addr,r),wn(n,r));for(let o=0;o!==s;++o)e.setTexture3D(t[o]||ex,r[o])}function fT(i,t,e){let n=this.cache,s=t.length,r=fu(e,s);Sn(n,r)||(i.uniform1iv(this.addr,r),wn(n,r));let o;this.type===i.SAMPLER_CUBE_SHADOW?o=du(Q0):o=nx;for(let a=0;a!==s;++a)e.setTextureCube(t[a]||o,r[a])}function dT(i,t,e){let n=this.cache,s=t.length,r=fu(e,s);Sn(n,r)||(i.uniform1iv(this.addr,r),wn(n,r));for(let o=0;o!==s;++o)e.setTexture2DArray(t[o]||tx,r[o])}function pT(i){switch(i){case 5126:return Zw;case 35664:return Jw;case 35665:return Kw;case 35666:return jw;case 35674:return Qw;case 35675:return tT;case 35676:return eT;case 5124:case 35670:return nT;case 35667:case 35671:return iT;case 35668:case 35672:return sT;case 35669:case 35673:return rT;case 5125:return oT;case 36294:return aT;case 36295:return lT;case 36296:return cT;case 35678:case 36198:case 36298:case 36306:case 35682:return hT;case 35679:case 36299:case 36307:return uT;case 35680:case 36300:case 36308:case 36293:return fT;case 36289:case 36303:case 36311:case 36292:return dT}}var Xd=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.setValue=$w(e.type)}},qd=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.size=e.size,this.setValue=pT(e.type)}},Yd=class{constructor(t){this.id=t,this.seq=[],this.map={}}setValue(t,e,n){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(t,e[a.id],n)}}},Hd=/(\w+)(\])?(\[|\.)?/g;function U0(i,t){i.seq.push(t),i.map[t.id]=t}function mT(i,t,e){let n=i.name,s=n.length;for(Hd.lastIndex=0;;){let r=Hd.exec(n),o=Hd.lastIndex,a=r[1],l=r[2]==="]",c=r[3];if(l&&(a=a|0),c===void 0||c==="["&&o+2===s){U0(e,c===void 0?new Xd(a,i,t):new qd(a,i,t));break}else{let u=e.map[a];u===void 0&&(u=new Yd(a),U0(e,u)),e=u}}}var Xo=class{constructor(t,e){this.seq=[],this.map={};let n=t.getProgramParameter(e,t.ACTIVE_UNIFORMS);for(let o=0;o<n;++o){let a=t.getActiveUniform(e,o),l=t.getUniformLocation(e,a.name);mT(a,l,this)}let s=[],r=[];for(let o of this.seq)o.type===t.SAMPLER_2D_SHADOW||o.type===t.SAMPLER_CUBE_SHADOW||o.type===t.SAMPLER_2D_ARRAY_SHADOW?s.push(o):r.push(o);s.length>0&&(this.seq=s.concat(r))}setValue(t,e,n,s){let r=this.map[e];r!==void 0&&r.setValue(t,n,s)}setOptional(t,e,n){let s=e[n];s!==void 0&&this.setValue(t,n,s)}static upload(t,e,n,s){for(let r=0,o=e.length;r!==o;++r){let a=e[r],l=n[a.id];l.needsUpdate!==!1&&a.setValue(t,l.value,s)}}static seqWithValue(t,e){let n=[];for(let s=0,r=t.length;s!==r;++s){let o=t[s];o.id in e&&n.push(o)}return n}};function F0(i,t,e){let n=i.createShader(t);return i.shaderSource(n,e),i.compileShader(n),n}var gT=37297,xT=0;function _T(i,t){let e=i.split(`
`),n=[],s=Math.max(t-6,0),r=Math.min(t+6,e.length);for(let o=s;o<r;o++){let a=o+1;n.push(`${a===t?">":" "} ${a}: ${e[o]}`)}return n.join(`
`)}var O0=new ee;function vT(i){_e._getMatrix(O0,_e.workingColorSpace,i);let t=`mat3( ${O0.elements.map(e=>e.toFixed(4))} )`;switch(_e.getTransfer(i)){case Na:return[t,"LinearTransferOETF"];case Ce:return[t,"sRGBTransferOETF"];default:return qt("WebGLProgram: Unsupported color space: ",i),[t,"LinearTransferOETF"]}}function B0(i,t,e){let n=i.getShaderParameter(t,i.COMPILE_STATUS),r=(i.getShaderInfoLog(t)||"").trim();if(n&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return e.toUpperCase()+`

`+r+`

`+_T(i.getShaderSource(t),a)}else return r}function yT(i,t){let e=vT(t);return[`vec4 ${i}( vec4 value ) {`,`	return ${e[1]}( vec4( ${e[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var bT={[hd]:"Linear",[ud]:"Reinhard",[fd]:"Cineon",[dd]:"ACESFilmic",[md]:"AgX",[gd]:"Neutral",[pd]:"Custom"};function MT(i,t){let e=bT[t];return e===void 0?(qt("WebGLProgram: Unsupported toneMapping:",t),"vec3 "+i+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+i+"( vec3 color ) { return "+e+"ToneMapping( color ); }"}var hu=new G;function ST(){_e.getLuminanceCoefficients(hu);let i=hu.x.toFixed(4),t=hu.y.toFixed(4),e=hu.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${t}, ${e} );`,"	return dot( weights, rgb );","}"].join(`
`)}function wT(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(Ml).join(`
`)}function TT(i){let t=[];for(let e in i){let n=i[e];n!==!1&&t.push("#define "+e+" "+n)}return t.join(`
`)}function AT(i,t){let e={},n=i.getProgramParameter(t,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){let r=i.getActiveAttrib(t,s),o=r.name,a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),e[o]={type:r.type,location:i.getAttribLocation(t,o),locationSize:a}}return e}function Ml(i){return i!==""}function z0(i,t){let e=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return i.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,e).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function k0(i,t){return i.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var ET=/^[ \t]*#include +<([\w\d./]+)>/gm;function $d(i){return i.replace(ET,CT)}function CT(i,t){let e=ue[t];if(e===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+t+">");return $d(e)}var RT=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function G0(i){return i.replace(RT,PT)}function PT(i,t,e,n){let s="";for(let r=parseInt(t);r<parseInt(e);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function V0(i){let t=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?t+=`
#define HIGH_PRECISION`:i.precision==="mediump"?t+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(t+=`
#define LOW_PRECISION`),t}var IT={[ll]:"SHADOWMAP_TYPE_PCF",[Go]:"SHADOWMAP_TYPE_VSM"};function LT(i){return IT[i.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var DT={[Ho]:"ENVMAP_MODE_REFRACTION"};function NT(i){return i.envMap===!1?"ENVMAP_MODE_REFLECTION":DT[i.envMapMode]||"ENVMAP_MODE_REFLECTION"}var UT={[yh]:"ENVMAP_BLENDING_MULTIPLY",[a0]:"ENVMAP_BLENDING_MIX",[l0]:"ENVMAP_BLENDING_ADD"};function FT(i){return i.envMap===!1?"ENVMAP_BLENDING_NONE":UT[i.combine]||"ENVMAP_BLENDING_NONE"}function OT(i,t,e,n){let s=i.getContext(),r=e.defines,o=e.vertexShader,a=e.fragmentShader,l=LT(e),c=e.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",h=NT(e),u=FT(e),f=wT(e),d=TT(r),p=s.createProgram(),x,m,g=e.glslVersion?"#version "+e.glslVersion+`
`:"";e.isRawShaderMaterial?(x=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d].filter(Ml).join(`
`),x.length>0&&(x+=`
`),m=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d].filter(Ml).join(`
`),m.length>0&&(m+=`
`)):(x=[V0(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d,e.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",e.batching?"#define USE_BATCHING":"",e.batchingColor?"#define USE_BATCHING_COLOR":"",e.instancing?"#define USE_INSTANCING":"",e.instancingColor?"#define USE_INSTANCING_COLOR":"",e.instancingMorph?"#define USE_INSTANCING_MORPH":"",e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.map?"#define USE_MAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+h:"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.displacementMap?"#define USE_DISPLACEMENTMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.mapUv?"#define MAP_UV "+e.mapUv:"",e.alphaMapUv?"#define ALPHAMAP_UV "+e.alphaMapUv:"",e.lightMapUv?"#define LIGHTMAP_UV "+e.lightMapUv:"",e.aoMapUv?"#define AOMAP_UV "+e.aoMapUv:"",e.emissiveMapUv?"#define EMISSIVEMAP_UV "+e.emissiveMapUv:"",e.bumpMapUv?"#define BUMPMAP_UV "+e.bumpMapUv:"",e.normalMapUv?"#define NORMALMAP_UV "+e.normalMapUv:"",e.displacementMapUv?"#define DISPLACEMENTMAP_UV "+e.displacementMapUv:"",e.metalnessMapUv?"#define METALNESSMAP_UV "+e.metalnessMapUv:"",e.roughnessMapUv?"#define ROUGHNESSMAP_UV "+e.roughnessMapUv:"",e.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+e.anisotropyMapUv:"",e.clearcoatMapUv?"#define CLEARCOATMAP_UV "+e.clearcoatMapUv:"",e.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+e.clearcoatNormalMapUv:"",e.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+e.clearcoatRoughnessMapUv:"",e.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+e.diffuseRoughnessMapUv:"",e.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+e.iridescenceMapUv:"",e.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+e.iridescenceThicknessMapUv:"",e.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+e.sheenColorMapUv:"",e.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+e.sheenRoughnessMapUv:"",e.specularMapUv?"#define SPECULARMAP_UV "+e.specularMapUv:"",e.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+e.specularColorMapUv:"",e.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+e.specularIntensityMapUv:"",e.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+e.transmissionMapUv:"",e.thicknessMapUv?"#define THICKNESSMAP_UV "+e.thicknessMapUv:"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexNormals?"#define HAS_NORMAL":"",e.vertexColors?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.flatShading?"#define FLAT_SHADED":"",e.skinning?"#define USE_SKINNING":"",e.morphTargets?"#define USE_MORPHTARGETS":"",e.morphNormals&&e.flatShading===!1?"#define USE_MORPHNORMALS":"",e.morphColors?"#define USE_MORPHCOLORS":"",e.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+e.morphTextureStride:"",e.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+e.morphTargetsCount:"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.sizeAttenuation?"#define USE_SIZEATTENUATION":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(Ml).join(`
`),m=[V0(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d,e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",e.map?"#define USE_MAP":"",e.matcap?"#define USE_MATCAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+c:"",e.envMap?"#define "+h:"",e.envMap?"#define "+u:"",e.envMapPMREM?"#define ENVMAP_MAX_LOD "+e.envMapMaxLod+".0":"",e.envMapPMREM?"#define ENVMAP_SIZE "+e.envMapSize+".0":"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoat?"#define USE_CLEARCOAT":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.dispersion?"#define USE_DISPERSION":"",e.retroreflection?"#define USE_RETROREFLECTION":"",e.iridescence?"#define USE_IRIDESCENCE":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaTest?"#define USE_ALPHATEST":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.sheen?"#define USE_SHEEN":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors||e.instancingColor?"#define USE_COLOR":"",e.vertexAlphas||e.batchingColor?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.gradientMap?"#define USE_GRADIENTMAP":"",e.flatShading?"#define FLAT_SHADED":"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",e.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",e.toneMapping!==fs?"#define TONE_MAPPING":"",e.toneMapping!==fs?ue.tonemapping_pars_fragment:"",e.toneMapping!==fs?MT("toneMapping",e.toneMapping):"",e.dithering?"#define DITHERING":"",e.opaque?"#define OPAQUE":"",ue.colorspace_pars_fragment,yT("linearToOutputTexel",e.outputColorSpace),ST(),e.useDepthPacking?"#define DEPTH_PACKING "+e.depthPacking:"",`
`].filter(Ml).join(`
`)),o=$d(o),o=z0(o,e),o=k0(o,e),a=$d(a),a=z0(a,e),a=k0(a,e),o=G0(o),a=G0(a),e.isRawShaderMaterial!==!0&&(g=`#version 300 es
`,x=[f,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+x,m=["#define varying in",e.glslVersion===Cd?"":"layout(location = 0) out highp vec4 pc_fragColor;",e.glslVersion===Cd?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+m);let b=g+x+o,S=g+m+a,y=F0(s,s.VERTEX_SHADER,b),C=F0(s,s.FRAGMENT_SHADER,S);s.attachShader(p,y),s.attachShader(p,C),e.index0AttributeName!==void 0?s.bindAttribLocation(p,0,e.index0AttributeName):e.hasPositionAttribute===!0&&s.bindAttribLocation(p,0,"position"),s.linkProgram(p);function E(U){if(i.debug.checkShaderErrors){let N=s.getProgramInfoLog(p)||"",k=s.getShaderInfoLog(y)||"",W=s.getShaderInfoLog(C)||"",L=N.trim(),X=k.trim(),Z=W.trim(),V=!0,lt=!0;if(s.getProgramParameter(p,s.LINK_STATUS)===!1)if(V=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,p,y,C);else{let Y=B0(s,y,"vertex"),Q=B0(s,C,"fragment");jt("WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(p,s.VALIDATE_STATUS)+`

Material Name: `+U.name+`
Material Type: `+U.type+`

Program Info Log: `+L+`
`+Y+`
`+Q)}else L!==""?qt("WebGLProgram: Program Info Log:",L):(X===""||Z==="")&&(lt=!1);lt&&(U.diagnostics={runnable:V,programLog:L,vertexShader:{log:X,prefix:x},fragmentShader:{log:Z,prefix:m}})}s.deleteShader(y),s.deleteShader(C),_=new Xo(s,p),A=AT(s,p)}let _;this.getUniforms=function(){return _===void 0&&E(this),_};let A;this.getAttributes=function(){return A===void 0&&E(this),A};let B=e.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return B===!1&&(B=s.getProgramParameter(p,gT)),B},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(p),this.program=void 0},this.type=e.shaderType,this.name=e.shaderName,this.id=xT++,this.cacheKey=t,this.usedTimes=1,this.program=p,this.vertexShader=y,this.fragmentShader=C,this}var BT=0,Zd=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(t,e,n){let s=this._getShaderCacheForMaterial(t);return s.has(e)===!1&&(s.add(e),e.usedTimes++),s.has(n)===!1&&(s.add(n),n.usedTimes++),this}remove(t){let e=this.materialCache.get(t);for(let n of e)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(t),this}getVertexShaderStage(t){return this._getShaderStage(t.vertexShader)}getFragmentShaderStage(t){return this._getShaderStage(t.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(t){let e=this.materialCache,n=e.get(t);return n===void 0&&(n=new Set,e.set(t,n)),n}_getShaderStage(t){let e=this.shaderCache,n=e.get(t);return n===void 0&&(n=new Jd(t),e.set(t,n)),n}},Jd=class{constructor(t){this.id=BT++,this.code=t,this.usedTimes=0}};function zT(i){return i===cr||i===_l||i===vl}function kT(i,t,e,n,s,r){let o=new Ba,a=new Zd,l=new Set,c=[],h=new Map,u=n.logarithmicDepthBuffer,f={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function d(_){return l.add(_),_===0?"uv":`uv${_}`}function p(_,A,B,U,N,k){let W=U.fog,L=N.geometry,X=_.isMeshStandardMaterial||_.isMeshLambertMaterial||_.isMeshPhongMaterial?U.environment:null,Z=_.isMeshStandardMaterial||_.isMeshLambertMaterial&&!_.envMap||_.isMeshPhongMaterial&&!_.envMap,V=t.get(_.envMap||X,Z),lt=f[_.type],Y=n.precision;_.precision!==null&&(Y=n.getMaxPrecision(_.precision),Y!==_.precision&&qt("WebGLProgram.getParameters:",_.precision,"not supported, using",Y,"instead."));let Q=L.morphAttributes.position||L.morphAttributes.normal||L.morphAttributes.color,it=Q!==void 0?Q.length:0,ft=0;L.morphAttributes.position!==void 0&&(ft=1),L.morphAttributes.normal!==void 0&&(ft=2),L.morphAttributes.color!==void 0&&(ft=3);let ut,tt,mt,_t;if(lt){let Ct=ci[lt];ut=Ct.vertexShader,tt=Ct.fragmentShader}else{ut=_.vertexShader,tt=_.fragmentShader;let Ct=a.getVertexShaderStage(_),ae=a.getFragmentShaderStage(_);a.update(_,Ct,ae),mt=Ct.id,_t=ae.id}let Et=i.getRenderTarget(),Mt=i.state.buffers.depth.getReversed(),Ht=N.isInstancedMesh===!0,se=N.isBatchedMesh===!0,Gt=!!_.map,fe=!!_.matcap,ce=!!V,ne=ce&&V.isPMREMTexture===!0,$e=!!_.aoMap,ke=!!_.lightMap,cn=!!_.bumpMap&&_.wireframe===!1,Ne=!!_.normalMap,En=!!_.displacementMap,be=!!_.emissiveMap,yn=!!_.metalnessMap,Ke=!!_.roughnessMap,hn=_.anisotropy>0,O=_.clearcoat>0,Rt=_.diffuseRoughness>0,Yt=_.dispersion>0,re=_.retroreflectivity>0,St=_.iridescence>0,Oe=_.sheen>0,kt=_.transmission>0,Xt=hn&&!!_.anisotropyMap,R=O&&!!_.clearcoatMap,M=O&&!!_.clearcoatNormalMap,q=O&&!!_.clearcoatRoughnessMap,ht=Rt&&!!_.diffuseRoughnessMap,ot=St&&!!_.iridescenceMap,xt=St&&!!_.iridescenceThicknessMap,vt=Oe&&!!_.sheenColorMap,et=Oe&&!!_.sheenRoughnessMap,st=!!_.specularMap,pt=!!_.specularColorMap,F=!!_.specularIntensityMap,rt=kt&&!!_.transmissionMap,nt=kt&&!!_.thicknessMap,wt=!!_.gradientMap,gt=!!_.alphaMap,bt=_.alphaTest>0,Vt=!!_.alphaHash,Jt=!!_.extensions,ct=fs;_.toneMapped&&(Et===null||Et.isXRRenderTarget===!0)&&(ct=i.toneMapping);let Ot=ne?V.isCompressedCubeTexture?V.image[0].mipmaps:V.mipmaps:null,Kt={shaderID:lt,shaderType:_.type,shaderName:_.name,vertexShader:ut,fragmentShader:tt,defines:_.defines,customVertexShaderID:mt,customFragmentShaderID:_t,isRawShaderMaterial:_.isRawShaderMaterial===!0,glslVersion:_.glslVersion,precision:Y,batching:se,batchingColor:se&&N._colorsTexture!==null,instancing:Ht,instancingColor:Ht&&N.instanceColor!==null,instancingMorph:Ht&&N.morphTexture!==null,outputColorSpace:Et===null?i.outputColorSpace:Et.isXRRenderTarget===!0?Et.texture.colorSpace:_e.workingColorSpace,alphaToCoverage:!!_.alphaToCoverage,map:Gt,matcap:fe,envMap:ce,envMapMode:ce&&V.mapping,envMapPMREM:ne,envMapMaxLod:ne?Ot.length-1:null,envMapSize:ne?Ot[0].width:null,aoMap:$e,lightMap:ke,bumpMap:cn,normalMap:Ne,displacementMap:En,emissiveMap:be,normalMapObjectSpace:Ne&&_.normalMapType===u0,normalMapTangentSpace:Ne&&_.normalMapType===au,packedNormalMap:Ne&&_.normalMapType===au&&zT(_.normalMap.format),metalnessMap:yn,roughnessMap:Ke,anisotropy:hn,anisotropyMap:Xt,clearcoat:O,clearcoatMap:R,clearcoatNormalMap:M,clearcoatRoughnessMap:q,diffuseRoughness:Rt,diffuseRoughnessMap:ht,dispersion:Yt,retroreflection:re,iridescence:St,iridescenceMap:ot,iridescenceThicknessMap:xt,sheen:Oe,sheenColorMap:vt,sheenRoughnessMap:et,specularMap:st,specularColorMap:pt,specularIntensityMap:F,transmission:kt,transmissionMap:rt,thicknessMap:nt,gradientMap:wt,opaque:_.transparent===!1&&_.blending===Vo&&_.alphaToCoverage===!1,alphaMap:gt,alphaTest:bt,alphaHash:Vt,combine:_.combine,mapUv:Gt&&d(_.map.channel),aoMapUv:$e&&d(_.aoMap.channel),lightMapUv:ke&&d(_.lightMap.channel),bumpMapUv:cn&&d(_.bumpMap.channel),normalMapUv:Ne&&d(_.normalMap.channel),displacementMapUv:En&&d(_.displacementMap.channel),emissiveMapUv:be&&d(_.emissiveMap.channel),metalnessMapUv:yn&&d(_.metalnessMap.channel),roughnessMapUv:Ke&&d(_.roughnessMap.channel),anisotropyMapUv:Xt&&d(_.anisotropyMap.channel),clearcoatMapUv:R&&d(_.clearcoatMap.channel),clearcoatNormalMapUv:M&&d(_.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:q&&d(_.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:ht&&d(_.diffuseRoughnessMap.channel),iridescenceMapUv:ot&&d(_.iridescenceMap.channel),iridescenceThicknessMapUv:xt&&d(_.iridescenceThicknessMap.channel),sheenColorMapUv:vt&&d(_.sheenColorMap.channel),sheenRoughnessMapUv:et&&d(_.sheenRoughnessMap.channel),specularMapUv:st&&d(_.specularMap.channel),specularColorMapUv:pt&&d(_.specularColorMap.channel),specularIntensityMapUv:F&&d(_.specularIntensityMap.channel),transmissionMapUv:rt&&d(_.transmissionMap.channel),thicknessMapUv:nt&&d(_.thicknessMap.channel),alphaMapUv:gt&&d(_.alphaMap.channel),vertexTangents:!!L.attributes.tangent&&(Ne||hn),vertexNormals:!!L.attributes.normal,vertexColors:_.vertexColors,vertexAlphas:_.vertexColors===!0&&!!L.attributes.color&&L.attributes.color.itemSize===4,pointsUvs:N.isPoints===!0&&!!L.attributes.uv&&(Gt||gt),fog:!!W,useFog:_.fog===!0,fogExp2:!!W&&W.isFogExp2,flatShading:_.wireframe===!1&&(_.flatShading===!0||L.attributes.normal===void 0&&Ne===!1&&(_.isMeshLambertMaterial||_.isMeshPhongMaterial||_.isMeshStandardMaterial||_.isMeshPhysicalMaterial)),sizeAttenuation:_.sizeAttenuation===!0,logarithmicDepthBuffer:u,reversedDepthBuffer:Mt,skinning:N.isSkinnedMesh===!0,hasPositionAttribute:L.attributes.position!==void 0,morphTargets:L.morphAttributes.position!==void 0,morphNormals:L.morphAttributes.normal!==void 0,morphColors:L.morphAttributes.color!==void 0,morphTargetsCount:it,morphTextureStride:ft,numSunLights:A.sun.length,numDirLights:A.directional.length,numPointLights:A.point.length,numSpotLights:A.spot.length,numSpotLightMaps:A.spotLightMap.length,numRectAreaLights:A.rectArea.length,numHemiLights:A.hemi.length,numSunLightShadows:A.sunShadowMap.length,numDirLightShadows:A.directionalShadowMap.length,numPointLightShadows:A.pointShadowMap.length,numSpotLightShadows:A.spotShadowMap.length,numSpotLightShadowsWithMaps:A.numSpotLightShadowsWithMaps,numLightProbes:A.numLightProbes,numLightProbeGrids:k.filter(Ct=>Ct.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:_.dithering,shadowMapEnabled:i.shadowMap.enabled&&B.length>0,shadowMapType:i.shadowMap.type,toneMapping:ct,decodeVideoTexture:Gt&&_.map.isVideoTexture===!0&&_e.getTransfer(_.map.colorSpace)===Ce,decodeVideoTextureEmissive:be&&_.emissiveMap.isVideoTexture===!0&&_e.getTransfer(_.emissiveMap.colorSpace)===Ce,premultipliedAlpha:_.premultipliedAlpha,doubleSided:_.side===kn,flipSided:_.side===li,useDepthPacking:_.depthPacking>=0,depthPacking:_.depthPacking||0,index0AttributeName:_.index0AttributeName,extensionClipCullDistance:Jt&&_.extensions.clipCullDistance===!0&&e.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(Jt&&_.extensions.multiDraw===!0||se)&&e.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:e.has("KHR_parallel_shader_compile"),customProgramCacheKey:_.customProgramCacheKey()};return Kt.vertexUv1s=l.has(1),Kt.vertexUv2s=l.has(2),Kt.vertexUv3s=l.has(3),l.clear(),Kt}function x(_){let A=[];if(_.shaderID?A.push(_.shaderID):(A.push(_.customVertexShaderID),A.push(_.customFragmentShaderID)),_.defines!==void 0)for(let B in _.defines)A.push(B),A.push(_.defines[B]);return _.isRawShaderMaterial===!1&&(m(A,_),g(A,_),A.push(i.outputColorSpace)),A.push(_.customProgramCacheKey),A.join()}function m(_,A){_.push(A.precision),_.push(A.outputColorSpace),_.push(A.envMapMode),_.push(A.envMapPMREM),_.push(A.envMapMaxLod),_.push(A.envMapSize),_.push(A.mapUv),_.push(A.alphaMapUv),_.push(A.lightMapUv),_.push(A.aoMapUv),_.push(A.bumpMapUv),_.push(A.normalMapUv),_.push(A.displacementMapUv),_.push(A.emissiveMapUv),_.push(A.metalnessMapUv),_.push(A.roughnessMapUv),_.push(A.anisotropyMapUv),_.push(A.clearcoatMapUv),_.push(A.clearcoatNormalMapUv),_.push(A.clearcoatRoughnessMapUv),_.push(A.diffuseRoughnessMapUv),_.push(A.iridescenceMapUv),_.push(A.iridescenceThicknessMapUv),_.push(A.sheenColorMapUv),_.push(A.sheenRoughnessMapUv),_.push(A.specularMapUv),_.push(A.specularColorMapUv),_.push(A.specularIntensityMapUv),_.push(A.transmissionMapUv),_.push(A.thicknessMapUv),_.push(A.combine),_.push(A.fogExp2),_.push(A.sizeAttenuation),_.push(A.morphTargetsCount),_.push(A.numSunLights),_.push(A.numDirLights),_.push(A.numPointLights),_.push(A.numSpotLights),_.push(A.numSpotLightMaps),_.push(A.numHemiLights),_.push(A.numRectAreaLights),_.push(A.numSunLightShadows),_.push(A.numDirLightShadows),_.push(A.numPointLightShadows),_.push(A.numSpotLightShadows),_.push(A.numSpotLightShadowsWithMaps),_.push(A.numLightProbes),_.push(A.numLightProbeGrids),_.push(A.shadowMapType),_.push(A.toneMapping),_.push(A.numClippingPlanes),_.push(A.numClipIntersection),_.push(A.depthPacking)}function g(_,A){o.disableAll(),A.instancing&&o.enable(0),A.instancingColor&&o.enable(1),A.instancingMorph&&o.enable(2),A.matcap&&o.enable(3),A.envMap&&o.enable(4),A.normalMapObjectSpace&&o.enable(5),A.normalMapTangentSpace&&o.enable(6),A.clearcoat&&o.enable(7),A.iridescence&&o.enable(8),A.alphaTest&&o.enable(9),A.vertexColors&&o.enable(10),A.vertexAlphas&&o.enable(11),A.vertexUv1s&&o.enable(12),A.vertexUv2s&&o.enable(13),A.vertexUv3s&&o.enable(14),A.vertexTangents&&o.enable(15),A.anisotropy&&o.enable(16),A.alphaHash&&o.enable(17),A.batching&&o.enable(18),A.dispersion&&o.enable(19),A.retroreflection&&o.enable(24),A.diffuseRoughness&&o.enable(25),A.batchingColor&&o.enable(20),A.gradientMap&&o.enable(21),A.packedNormalMap&&o.enable(22),A.vertexNormals&&o.enable(23),_.push(o.mask),o.disableAll(),A.fog&&o.enable(0),A.useFog&&o.enable(1),A.flatShading&&o.enable(2),A.logarithmicDepthBuffer&&o.enable(3),A.reversedDepthBuffer&&o.enable(4),A.skinning&&o.enable(5),A.morphTargets&&o.enable(6),A.morphNormals&&o.enable(7),A.morphColors&&o.enable(8),A.premultipliedAlpha&&o.enable(9),A.shadowMapEnabled&&o.enable(10),A.doubleSided&&o.enable(11),A.flipSided&&o.enable(12),A.useDepthPacking&&o.enable(13),A.dithering&&o.enable(14),A.transmission&&o.enable(15),A.sheen&&o.enable(16),A.opaque&&o.enable(17),A.pointsUvs&&o.enable(18),A.decodeVideoTexture&&o.enable(19),A.decodeVideoTextureEmissive&&o.enable(20),A.alphaToCoverage&&o.enable(21),A.numLightProbeGrids>0&&o.enable(22),A.hasPositionAttribute&&o.enable(23),_.push(o.mask)}function b(_){let A=f[_.type],B;if(A){let U=ci[A];B=yl.clone(U.uniforms)}else B=_.uniforms;return B}function S(_,A){let B=h.get(A);return B!==void 0?++B.usedTimes:(B=new OT(i,A,_,s),c.push(B),h.set(A,B)),B}function y(_){if(--_.usedTimes===0){let A=c.indexOf(_);c[A]=c[c.length-1],c.pop(),h.delete(_.cacheKey),_.destroy()}}function C(_){a.remove(_)}function E(){a.dispose()}return{getParameters:p,getProgramCacheKey:x,getUniforms:b,acquireProgram:S,releaseProgram:y,releaseShaderCache:C,programs:c,dispose:E}}function GT(){let i=new WeakMap;function t(o){return i.has(o)}function e(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,l){i.get(o)[a]=l}function r(){i=new WeakMap}return{has:t,get:e,remove:n,update:s,dispose:r}}function VT(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.material.id!==t.material.id?i.material.id-t.material.id:i.materialVariant!==t.materialVariant?i.materialVariant-t.materialVariant:i.z!==t.z?i.z-t.z:i.id-t.id}function H0(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.z!==t.z?t.z-i.z:i.id-t.id}function W0(){let i=[],t=0,e=[],n=[],s=[];function r(){t=0,e.length=0,n.length=0,s.length=0}function o(f){let d=0;return f.isInstancedMesh&&(d+=2),f.isSkinnedMesh&&(d+=1),d}function a(f,d,p,x,m,g){let b=i[t];return b===void 0?(b={id:f.id,object:f,geometry:d,material:p,materialVariant:o(f),groupOrder:x,renderOrder:f.renderOrder,z:m,group:g},i[t]=b):(b.id=f.id,b.object=f,b.geometry=d,b.material=p,b.materialVariant=o(f),b.groupOrder=x,b.renderOrder=f.renderOrder,b.z=m,b.group=g),t++,b}function l(f,d,p,x,m,g,b){b.reversedDepth===!0&&(m=-m);let S=a(f,d,p,x,m,g);p.transmission>0?n.push(S):p.transparent===!0?s.push(S):e.push(S)}function c(f,d,p,x,m,g){let b=a(f,d,p,x,m,g);p.transmission>0?n.unshift(b):p.transparent===!0?s.unshift(b):e.unshift(b)}function h(f,d){e.length>1&&e.sort(f||VT),n.length>1&&n.sort(d||H0),s.length>1&&s.sort(d||H0)}function u(){for(let f=t,d=i.length;f<d;f++){let p=i[f];if(p.id===null)break;p.id=null,p.object=null,p.geometry=null,p.material=null,p.group=null}}return{opaque:e,transmissive:n,transparent:s,init:r,push:l,unshift:c,finish:u,sort:h}}function HT(){let i=new WeakMap;function t(n,s){let r=i.get(n),o;return r===void 0?(o=new W0,i.set(n,[o])):s>=r.length?(o=new W0,r.push(o)):o=r[s],o}function e(){i=new WeakMap}return{get:t,dispose:e}}function WT(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={direction:new G,color:new oe};break;case"SpotLight":e={position:new G,direction:new G,color:new oe,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":e={position:new G,color:new oe,distance:0,decay:0};break;case"HemisphereLight":e={direction:new G,skyColor:new oe,groundColor:new oe};break;case"RectAreaLight":e={color:new oe,position:new G,halfWidth:new G,halfHeight:new G};break}return i[t.id]=e,e}}}function XT(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Zt};break;case"SpotLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Zt};break;case"PointLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new Zt,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[t.id]=e,e}}}var qT=0;function YT(i,t){return(t.castShadow?2:0)-(i.castShadow?2:0)+(t.map?1:0)-(i.map?1:0)}function $T(i){let t=new WT,e=XT(),n={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)n.probe.push(new G);let s=new G,r=new ve,o=new ve;function a(c){let h=0,u=0,f=0;for(let k=0;k<9;k++)n.probe[k].set(0,0,0);let d=0,p=0,x=0,m=0,g=0,b=0,S=0,y=0,C=0,E=0,_=0,A=0,B=0,U=0;c.sort(YT);for(let k=0,W=c.length;k<W;k++){let L=c[k],X=L.color,Z=L.intensity,V=L.distance,lt=null;if(L.shadow&&L.shadow.map&&(L.shadow.map.texture.format===cr?lt=L.shadow.map.texture:lt=L.shadow.map.depthTexture||L.shadow.map.texture),L.isAmbientLight)h+=X.r*Z,u+=X.g*Z,f+=X.b*Z;else if(L.isLightProbe){for(let Y=0;Y<9;Y++)n.probe[Y].addScaledVector(L.sh.coefficients[Y],Z);U++}else if(L.isSunLight){let Y=t.get(L);if(Y.color.copy(L.color).multiplyScalar(L.intensity),L.castShadow){let Q=L.shadow,it=e.get(L);it.shadowIntensity=Q.intensity,it.shadowBias=Q.bias,it.shadowNormalBias=Q.normalBias,it.shadowRadius=Q.radius,it.shadowMapSize.copy(Q.mapSize).multiply(Q.getFrameExtents()),n.sunShadow[p]=it,n.sunShadowMap[p]=lt;let ft=Q.getViewportCount();for(let ut=0;ut<ft;ut++)n.sunShadowMatrix[x+ut]=Q.getMatrix(ut),n.sunShadowCascade[x+ut]=Q._cascadeData[ut];x+=ft,p++}n.sun[d]=Y,d++}else if(L.isDirectionalLight){let Y=t.get(L);if(Y.color.copy(L.color).multiplyScalar(L.intensity),L.castShadow){let Q=L.shadow,it=e.get(L);it.shadowIntensity=Q.intensity,it.shadowBias=Q.bias,it.shadowNormalBias=Q.normalBias,it.shadowRadius=Q.radius,it.shadowMapSize=Q.mapSize,n.directionalShadow[m]=it,n.directionalShadowMap[m]=lt,n.directionalShadowMatrix[m]=L.shadow.matrix,C++}n.directional[m]=Y,m++}else if(L.isSpotLight){let Y=t.get(L);Y.position.setFromMatrixPosition(L.matrixWorld),Y.color.copy(X).multiplyScalar(Z),Y.distance=V,Y.coneCos=Math.cos(L.angle),Y.penumbraCos=Math.cos(L.angle*(1-L.penumbra)),Y.decay=L.decay,n.spot[b]=Y;let Q=L.shadow;if(L.map&&(n.spotLightMap[A]=L.map,A++,Q.updateMatrices(L),L.castShadow&&B++),n.spotLightMatrix[b]=Q.matrix,L.castShadow){let it=e.get(L);it.shadowIntensity=Q.intensity,it.shadowBias=Q.bias,it.shadowNormalBias=Q.normalBias,it.shadowRadius=Q.radius,it.shadowMapSize=Q.mapSize,n.spotShadow[b]=it,n.spotShadowMap[b]=lt,_++}b++}else if(L.isRectAreaLight){let Y=t.get(L);Y.color.copy(X).multiplyScalar(Z),Y.halfWidth.set(L.width*.5,0,0),Y.halfHeight.set(0,L.height*.5,0),n.rectArea[S]=Y,S++}else if(L.isPointLight){let Y=t.get(L);if(Y.color.copy(L.color).multiplyScalar(L.intensity),Y.distance=L.distance,Y.decay=L.decay,L.castShadow){let Q=L.shadow,it=e.get(L);it.shadowIntensity=Q.intensity,it.shadowBias=Q.bias,it.shadowNormalBias=Q.normalBias,it.shadowRadius=Q.radius,it.shadowMapSize=Q.mapSize,it.shadowCameraNear=Q.camera.near,it.shadowCameraFar=Q.camera.far,n.pointShadow[g]=it,n.pointShadowMap[g]=lt,n.pointShadowMatrix[g]=L.shadow.matrix,E++}n.point[g]=Y,g++}else if(L.isHemisphereLight){let Y=t.get(L);Y.skyColor.copy(L.color).multiplyScalar(Z),Y.groundColor.copy(L.groundColor).multiplyScalar(Z),n.hemi[y]=Y,y++}}S>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=Pt.LTC_FLOAT_1,n.rectAreaLTC2=Pt.LTC_FLOAT_2):(n.rectAreaLTC1=Pt.LTC_HALF_1,n.rectAreaLTC2=Pt.LTC_HALF_2)),n.ambient[0]=h,n.ambient[1]=u,n.ambient[2]=f;let N=n.hash;(N.sunLength!==d||N.directionalLength!==m||N.pointLength!==g||N.spotLength!==b||N.rectAreaLength!==S||N.hemiLength!==y||N.numSunShadows!==p||N.numDirectionalShadows!==C||N.numPointShadows!==E||N.numSpotShadows!==_||N.numSpotMaps!==A||N.numLightProbes!==U)&&(n.sun.length=d,n.directional.length=m,n.spot.length=b,n.rectArea.length=S,n.point.length=g,n.hemi.length=y,n.sunShadow.length=p,n.sunShadowMap.length=p,n.sunShadowMatrix.length=x,n.sunShadowCascade.length=x,n.directionalShadow.length=C,n.directionalShadowMap.length=C,n.directionalShadowMatrix.length=C,n.pointShadow.length=E,n.pointShadowMap.length=E,n.pointShadowMatrix.length=E,n.spotShadow.length=_,n.spotShadowMap.length=_,n.spotLightMatrix.length=_+A-B,n.spotLightMap.length=A,n.numSpotLightShadowsWithMaps=B,n.numLightProbes=U,N.sunLength=d,N.directionalLength=m,N.pointLength=g,N.spotLength=b,N.rectAreaLength=S,N.hemiLength=y,N.numSunShadows=p,N.numDirectionalShadows=C,N.numPointShadows=E,N.numSpotShadows=_,N.numSpotMaps=A,N.numLightProbes=U,n.version=qT++)}function l(c,h){let u=0,f=0,d=0,p=0,x=0,m=0,g=h.matrixWorldInverse;for(let b=0,S=c.length;b<S;b++){let y=c[b];if(y.isSunLight){let C=n.sun[u];C.direction.setFromMatrixPosition(y.matrixWorld),C.direction.transformDirection(g),u++}else if(y.isDirectionalLight){let C=n.directional[f];C.direction.setFromMatrixPosition(y.matrixWorld),s.setFromMatrixPosition(y.target.matrixWorld),C.direction.sub(s),C.direction.transformDirection(g),f++}else if(y.isSpotLight){let C=n.spot[p];C.position.setFromMatrixPosition(y.matrixWorld),C.position.applyMatrix4(g),C.direction.setFromMatrixPosition(y.matrixWorld),s.setFromMatrixPosition(y.target.matrixWorld),C.direction.sub(s),C.direction.transformDirection(g),p++}else if(y.isRectAreaLight){let C=n.rectArea[x];C.position.setFromMatrixPosition(y.matrixWorld),C.position.applyMatrix4(g),o.identity(),r.copy(y.matrixWorld),r.premultiply(g),o.extractRotation(r),C.halfWidth.set(y.width*.5,0,0),C.halfHeight.set(0,y.height*.5,0),C.halfWidth.applyMatrix4(o),C.halfHeight.applyMatrix4(o),x++}else if(y.isPointLight){let C=n.point[d];C.position.setFromMatrixPosition(y.matrixWorld),C.position.applyMatrix4(g),d++}else if(y.isHemisphereLight){let C=n.hemi[m];C.direction.setFromMatrixPosition(y.matrixWorld),C.direction.transformDirection(g),m++}}}return{setup:a,setupView:l,state:n}}function X0(i){let t=new $T(i),e=[],n=[],s=[];function r(u){h.camera=u,e.length=0,n.length=0,s.length=0}function o(u){u.isLightProbeGrid?s.push(u):e.push(u)}function a(u){n.push(u)}function l(){t.setup(e),s.sort((u,f)=>u.priority-f.priority||u.id-f.id)}function c(u){t.setupView(e,u)}let h={lightsArray:e,shadowsArray:n,lightProbeGridArray:s,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:h,setupLights:l,setupLightsView:c,pushLight:o,pushShadow:a}}function ZT(i){let t=new WeakMap;function e(s,r=0){let o=t.get(s),a;return o===void 0?(a=new X0(i),t.set(s,[a])):r>=o.length?(a=new X0(i),o.push(a)):a=o[r],a}function n(){t=new WeakMap}return{get:e,dispose:n}}var JT=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,KT=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,jT=[new G(1,0,0),new G(-1,0,0),new G(0,1,0),new G(0,-1,0),new G(0,0,1),new G(0,0,-1)],QT=[new G(0,-1,0),new G(0,-1,0),new G(0,0,1),new G(0,0,-1),new G(0,-1,0),new G(0,-1,0)],q0=new ve,bl=new G,Wd=new G;function tA(i,t,e){let n=new nr,s=new Zt,r=new Zt,o=new Me,a=new sh,l=new rh,c={},h=e.maxTextureSize,u={[us]:li,[li]:us,[kn]:kn},f=new _n({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new Zt},radius:{value:4}},vertexShader:JT,fragmentShader:KT}),d=f.clone();d.defines.HORIZONTAL_PASS=1;let p=new Ge;p.setAttribute("position",new Mn(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let x=new xn(p,f),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=ll;let g=this.type;this.render=function(E,_,A){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||E.length===0)return;this.type===Xg&&(qt("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=ll);let B=i.getRenderTarget(),U=i.getActiveCubeFace(),N=i.getActiveMipmapLevel(),k=i.state;k.setBlending(Pr),k.buffers.depth.getReversed()===!0?k.buffers.color.setClear(0,0,0,0):k.buffers.color.setClear(1,1,1,1),k.buffers.depth.setTest(!0),k.setScissorTest(!1);let W=g!==this.type;W&&_.traverse(function(L){L.material&&(Array.isArray(L.material)?L.material.forEach(X=>X.needsUpdate=!0):L.material.needsUpdate=!0)});for(let L=0,X=E.length;L<X;L++){let Z=E[L],V=Z.shadow;if(V===void 0){qt("WebGLShadowMap:",Z,"has no shadow.");continue}if(V.autoUpdate===!1&&V.needsUpdate===!1)continue;s.copy(V.mapSize);let lt=V.getFrameExtents();s.multiply(lt),r.copy(V.mapSize),(s.x>h||s.y>h)&&(s.x>h&&(r.x=Math.floor(h/lt.x),s.x=r.x*lt.x,V.mapSize.x=r.x),s.y>h&&(r.y=Math.floor(h/lt.y),s.y=r.y*lt.y,V.mapSize.y=r.y));let Y=i.state.buffers.depth.getReversed();if(V.camera._reversedDepth=Y,V.map===null||W===!0){if(V.map!==null&&(V.map.depthTexture!==null&&(V.map.depthTexture.dispose(),V.map.depthTexture=null),V.map.dispose()),this.type===Go){if(Z.isPointLight){qt("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}V.map=new Mi(s.x,s.y,{format:cr,type:$i,minFilter:ri,magFilter:ri,generateMipmaps:!1}),V.map.texture.name=Z.name+".shadowMap",V.map.depthTexture=new Ns(s.x,s.y,Di),V.map.depthTexture.name=Z.name+".shadowMapDepth",V.map.depthTexture.format=Is,V.map.depthTexture.compareFunction=null,V.map.depthTexture.minFilter=Fn,V.map.depthTexture.magFilter=Fn}else Z.isPointLight?(V.map=new Sl(s.x),V.map.depthTexture=new Ja(s.x,Yi)):(V.map=new Mi(s.x,s.y),V.map.depthTexture=new Ns(s.x,s.y,Yi)),V.map.depthTexture.name=Z.name+".shadowMap",V.map.depthTexture.format=Is,this.type===ll?(V.map.depthTexture.compareFunction=Y?Td:wd,V.map.depthTexture.minFilter=ri,V.map.depthTexture.magFilter=ri):(V.map.depthTexture.compareFunction=null,V.map.depthTexture.minFilter=Fn,V.map.depthTexture.magFilter=Fn);V.camera.updateProjectionMatrix()}V.map.isWebGLCubeRenderTarget!==!0&&(V.map.width!==s.x||V.map.height!==s.y)&&V.map.setSize(s.x,s.y);let Q=V.map.isWebGLCubeRenderTarget?6:V.getViewportCount();Z.isPointLight!==!0&&V.updateMatrices(Z,A);let it=(V.camera.layers.mask&4294967294)!==0?V.camera.layers:A.layers;for(let ft=0;ft<Q;ft++){let ut=V.getCamera(ft);if(Z.isPointLight){let tt=V.camera,mt=V.matrix,_t=Z.distance||tt.far;_t!==tt.far&&(tt.far=_t,tt.updateProjectionMatrix()),bl.setFromMatrixPosition(Z.matrixWorld),tt.position.copy(bl),Wd.copy(tt.position),Wd.add(jT[ft]),tt.up.copy(QT[ft]),tt.lookAt(Wd),tt.updateMatrixWorld(),mt.makeTranslation(-bl.x,-bl.y,-bl.z),q0.multiplyMatrices(tt.projectionMatrix,tt.matrixWorldInverse),V._frustum.setFromProjectionMatrix(q0,tt.coordinateSystem,tt.reversedDepth)}if(V.map.isWebGLCubeRenderTarget)i.setRenderTarget(V.map,ft),i.clear();else{ft===0&&(i.setRenderTarget(V.map),i.clear());let tt=V.getViewport(ft);o.set(r.x*tt.x,r.y*tt.y,r.x*tt.z,r.y*tt.w),k.viewport(o)}n=V.getFrustum(ft),y(_,A,ut,Z,it,this.type)}V.isPointLightShadow!==!0&&this.type===Go&&b(V,A),V.needsUpdate=!1}g=this.type,m.needsUpdate=!1,i.setRenderTarget(B,U,N)};function b(E,_){let A=t.update(x);f.defines.VSM_SAMPLES!==E.blurSamples&&(f.defines.VSM_SAMPLES=E.blurSamples,d.defines.VSM_SAMPLES=E.blurSamples,f.needsUpdate=!0,d.needsUpdate=!0),E.mapPass===null?E.mapPass=new Mi(s.x,s.y,{format:cr,type:$i}):(E.mapPass.width!==E.map.width||E.mapPass.height!==E.map.height)&&E.mapPass.setSize(E.map.width,E.map.height),f.uniforms.shadow_pass.value=E.map.depthTexture,f.uniforms.resolution.value.set(E.map.width,E.map.height),f.uniforms.radius.value=E.radius,i.setRenderTarget(E.mapPass),i.clear(),i.renderBufferDirect(_,null,A,f,x,null),d.uniforms.shadow_pass.value=E.mapPass.texture,d.uniforms.resolution.value.set(E.map.width,E.map.height),d.uniforms.radius.value=E.radius,i.setRenderTarget(E.map),i.clear(),i.renderBufferDirect(_,null,A,d,x,null)}function S(E,_,A,B){let U=null,N=A.isPointLight===!0?E.customDistanceMaterial:E.customDepthMaterial;if(N!==void 0)U=N;else if(U=A.isPointLight===!0?l:a,i.localClippingEnabled&&_.clipShadows===!0&&Array.isArray(_.clippingPlanes)&&_.clippingPlanes.length!==0||_.displacementMap&&_.displacementScale!==0||_.alphaMap&&_.alphaTest>0||_.map&&_.alphaTest>0||_.alphaToCoverage===!0){let k=U.uuid,W=_.uuid,L=c[k];L===void 0&&(L={},c[k]=L);let X=L[W];X===void 0&&(X=U.clone(),L[W]=X,_.addEventListener("dispose",C)),U=X}if(U.visible=_.visible,U.wireframe=_.wireframe,B===Go?U.side=_.shadowSide!==null?_.shadowSide:_.side:U.side=_.shadowSide!==null?_.shadowSide:u[_.side],U.alphaMap=_.alphaMap,U.alphaTest=_.alphaToCoverage===!0?.5:_.alphaTest,U.map=_.map,U.clipShadows=_.clipShadows,U.clippingPlanes=_.clippingPlanes,U.clipIntersection=_.clipIntersection,U.displacementMap=_.displacementMap,U.displacementScale=_.displacementScale,U.displacementBias=_.displacementBias,U.wireframeLinewidth=_.wireframeLinewidth,U.linewidth=_.linewidth,A.isPointLight===!0&&U.isMeshDistanceMaterial===!0){let k=i.properties.get(U);k.light=A}return U}function y(E,_,A,B,U,N){if(E.visible===!1)return;if(E.layers.test(U)&&(E.isMesh||E.isLine||E.isPoints)&&(E.castShadow||E.receiveShadow&&N===Go)&&(!E.frustumCulled||E.intersectsFrustum(n))){E.modelViewMatrix.multiplyMatrices(A.matrixWorldInverse,E.matrixWorld);let L=t.update(E),X=E.material;if(Array.isArray(X)){let Z=L.groups;for(let V=0,lt=Z.length;V<lt;V++){let Y=Z[V],Q=X[Y.materialIndex];if(Q&&Q.visible){let it=S(E,Q,B,N);E.onBeforeShadow(i,E,_,A,L,it,Y),i.renderBufferDirect(A,null,L,it,E,Y),E.onAfterShadow(i,E,_,A,L,it,Y)}}}else if(X.visible){let Z=S(E,X,B,N);E.onBeforeShadow(i,E,_,A,L,Z,null),i.renderBufferDirect(A,null,L,Z,E,null),E.onAfterShadow(i,E,_,A,L,Z,null)}}let W=E.children;for(let L=0,X=W.length;L<X;L++)y(W[L],_,A,B,U,N)}function C(E){E.target.removeEventListener("dispose",C);for(let A in c){let B=c[A],U=E.target.uuid;U in B&&(B[U].dispose(),delete B[U])}}}function eA(i,t){function e(){let F=!1,rt=new Me,nt=null,wt=new Me(0,0,0,0);return{setMask:function(gt){nt!==gt&&!F&&(i.colorMask(gt,gt,gt,gt),nt=gt)},setLocked:function(gt){F=gt},setClear:function(gt,bt,Vt,Jt,ct){ct===!0&&(gt*=Jt,bt*=Jt,Vt*=Jt),rt.set(gt,bt,Vt,Jt),wt.equals(rt)===!1&&(i.clearColor(gt,bt,Vt,Jt),wt.copy(rt))},reset:function(){F=!1,nt=null,wt.set(-1,0,0,0)}}}function n(){let F=!1,rt=!1,nt=null,wt=null,gt=null;return{setReversed:function(bt){if(rt!==bt){let Vt=t.get("EXT_clip_control");bt?Vt.clipControlEXT(Vt.LOWER_LEFT_EXT,Vt.ZERO_TO_ONE_EXT):Vt.clipControlEXT(Vt.LOWER_LEFT_EXT,Vt.NEGATIVE_ONE_TO_ONE_EXT),rt=bt;let Jt=gt;gt=null,this.setClear(Jt)}},getReversed:function(){return rt},setTest:function(bt){bt?Mt(i.DEPTH_TEST):Ht(i.DEPTH_TEST)},setMask:function(bt){nt!==bt&&!F&&(i.depthMask(bt),nt=bt)},setFunc:function(bt){if(rt&&(bt=b0[bt]),wt!==bt){switch(bt){case zc:i.depthFunc(i.NEVER);break;case kc:i.depthFunc(i.ALWAYS);break;case Gc:i.depthFunc(i.LESS);break;case Po:i.depthFunc(i.LEQUAL);break;case Io:i.depthFunc(i.EQUAL);break;case Vc:i.depthFunc(i.GEQUAL);break;case Hc:i.depthFunc(i.GREATER);break;case Wc:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}wt=bt}},setLocked:function(bt){F=bt},setClear:function(bt){gt!==bt&&(gt=bt,rt&&(bt=1-bt),i.clearDepth(bt))},reset:function(){F=!1,nt=null,wt=null,gt=null,rt=!1}}}function s(){let F=!1,rt=null,nt=null,wt=null,gt=null,bt=null,Vt=null,Jt=null,ct=null;return{setTest:function(Ot){F||(Ot?Mt(i.STENCIL_TEST):Ht(i.STENCIL_TEST))},setMask:function(Ot){rt!==Ot&&!F&&(i.stencilMask(Ot),rt=Ot)},setFunc:function(Ot,Kt,Ct){(nt!==Ot||wt!==Kt||gt!==Ct)&&(i.stencilFunc(Ot,Kt,Ct),nt=Ot,wt=Kt,gt=Ct)},setOp:function(Ot,Kt,Ct){(bt!==Ot||Vt!==Kt||Jt!==Ct)&&(i.stencilOp(Ot,Kt,Ct),bt=Ot,Vt=Kt,Jt=Ct)},setLocked:function(Ot){F=Ot},setClear:function(Ot){ct!==Ot&&(i.clearStencil(Ot),ct=Ot)},reset:function(){F=!1,rt=null,nt=null,wt=null,gt=null,bt=null,Vt=null,Jt=null,ct=null}}}let r=new e,o=new n,a=new s,l={},c=new WeakMap,h={},u={},f={},d=new WeakMap,p=[],x=null,m=!1,g=null,b=null,S=null,y=null,C=null,E=null,_=null,A=new oe(0,0,0),B=0,U=!1,N=null,k=null,W=null,L=null,X=null,Z=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS),V=!1,lt=0,Y=i.getParameter(i.VERSION);Y.indexOf("WebGL")!==-1?(lt=parseFloat(/^WebGL (\d)/.exec(Y)[1]),V=lt>=1):Y.indexOf("OpenGL ES")!==-1&&(lt=parseFloat(/^OpenGL ES (\d)/.exec(Y)[1]),V=lt>=2);let Q=null,it={},ft=i.getParameter(i.SCISSOR_BOX),ut=i.getParameter(i.VIEWPORT),tt=new Me().fromArray(ft),mt=new Me().fromArray(ut);function _t(F,rt,nt,wt){let gt=new Uint8Array(4),bt=i.createTexture();i.bindTexture(F,bt),i.texParameteri(F,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(F,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Vt=0;Vt<nt;Vt++)F===i.TEXTURE_3D||F===i.TEXTURE_2D_ARRAY?i.texImage3D(rt,0,i.RGBA,1,1,wt,0,i.RGBA,i.UNSIGNED_BYTE,gt):i.texImage2D(rt+Vt,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,gt);return bt}let Et={};Et[i.TEXTURE_2D]=_t(i.TEXTURE_2D,i.TEXTURE_2D,1),Et[i.TEXTURE_CUBE_MAP]=_t(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),Et[i.TEXTURE_2D_ARRAY]=_t(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),Et[i.TEXTURE_3D]=_t(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),Mt(i.DEPTH_TEST),o.setFunc(Po),cn(!1),Ne(od),Mt(i.CULL_FACE),$e(Pr);function Mt(F){h[F]!==!0&&(i.enable(F),h[F]=!0)}function Ht(F){h[F]!==!1&&(i.disable(F),h[F]=!1)}function se(F,rt){return f[F]!==rt?(i.bindFramebuffer(F,rt),f[F]=rt,F===i.DRAW_FRAMEBUFFER&&(f[i.FRAMEBUFFER]=rt),F===i.FRAMEBUFFER&&(f[i.DRAW_FRAMEBUFFER]=rt),!0):!1}function Gt(F,rt){let nt=p,wt=!1;if(F){nt=d.get(rt),nt===void 0&&(nt=[],d.set(rt,nt));let gt=F.textures;if(nt.length!==gt.length||nt[0]!==i.COLOR_ATTACHMENT0){for(let bt=0,Vt=gt.length;bt<Vt;bt++)nt[bt]=i.COLOR_ATTACHMENT0+bt;nt.length=gt.length,wt=!0}}else nt[0]!==i.BACK&&(nt[0]=i.BACK,wt=!0);wt&&i.drawBuffers(nt)}function fe(F){return x!==F?(i.useProgram(F),x=F,!0):!1}let ce={[Us]:i.FUNC_ADD,[qg]:i.FUNC_SUBTRACT,[Yg]:i.FUNC_REVERSE_SUBTRACT};ce[vh]=i.MIN,ce[$g]=i.MAX;let ne={[Zg]:i.ZERO,[hl]:i.ONE,[Jg]:i.SRC_COLOR,[ul]:i.SRC_ALPHA,[n0]:i.SRC_ALPHA_SATURATE,[t0]:i.DST_COLOR,[jg]:i.DST_ALPHA,[Kg]:i.ONE_MINUS_SRC_COLOR,[fl]:i.ONE_MINUS_SRC_ALPHA,[e0]:i.ONE_MINUS_DST_COLOR,[Qg]:i.ONE_MINUS_DST_ALPHA,[i0]:i.CONSTANT_COLOR,[s0]:i.ONE_MINUS_CONSTANT_COLOR,[r0]:i.CONSTANT_ALPHA,[o0]:i.ONE_MINUS_CONSTANT_ALPHA};function $e(F,rt,nt,wt,gt,bt,Vt,Jt,ct,Ot){if(F===Pr){m===!0&&(Ht(i.BLEND),m=!1);return}if(m===!1&&(Mt(i.BLEND),m=!0),F!==cl){if(F!==g||Ot!==U){if((b!==Us||C!==Us)&&(i.blendEquation(i.FUNC_ADD),b=Us,C=Us),Ot)switch(F){case Vo:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case ad:i.blendFunc(i.ONE,i.ONE);break;case ld:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case cd:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:jt("WebGLState: Invalid blending: ",F);break}else switch(F){case Vo:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case ad:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case ld:jt("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case cd:jt("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:jt("WebGLState: Invalid blending: ",F);break}S=null,y=null,E=null,_=null,A.set(0,0,0),B=0,g=F,U=Ot}return}gt=gt||rt,bt=bt||nt,Vt=Vt||wt,(rt!==b||gt!==C)&&(i.blendEquationSeparate(ce[rt],ce[gt]),b=rt,C=gt),(nt!==S||wt!==y||bt!==E||Vt!==_)&&(i.blendFuncSeparate(ne[nt],ne[wt],ne[bt],ne[Vt]),S=nt,y=wt,E=bt,_=Vt),(Jt.equals(A)===!1||ct!==B)&&(i.blendColor(Jt.r,Jt.g,Jt.b,ct),A.copy(Jt),B=ct),g=F,U=!1}function ke(F,rt){F.side===kn?Ht(i.CULL_FACE):Mt(i.CULL_FACE);let nt=F.side===li;rt&&(nt=!nt),cn(nt),F.blending===Vo&&F.transparent===!1?$e(Pr):$e(F.blending,F.blendEquation,F.blendSrc,F.blendDst,F.blendEquationAlpha,F.blendSrcAlpha,F.blendDstAlpha,F.blendColor,F.blendAlpha,F.premultipliedAlpha),o.setFunc(F.depthFunc),o.setTest(F.depthTest),o.setMask(F.depthWrite),r.setMask(F.colorWrite);let wt=F.stencilWrite;a.setTest(wt),wt&&(a.setMask(F.stencilWriteMask),a.setFunc(F.stencilFunc,F.stencilRef,F.stencilFuncMask),a.setOp(F.stencilFail,F.stencilZFail,F.stencilZPass)),be(F.polygonOffset,F.polygonOffsetFactor,F.polygonOffsetUnits),F.alphaToCoverage===!0?Mt(i.SAMPLE_ALPHA_TO_COVERAGE):Ht(i.SAMPLE_ALPHA_TO_COVERAGE)}function cn(F){N!==F&&(F?i.frontFace(i.CW):i.frontFace(i.CCW),N=F)}function Ne(F){F!==Hg?(Mt(i.CULL_FACE),F!==k&&(F===od?i.cullFace(i.BACK):F===Wg?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):Ht(i.CULL_FACE),k=F}function En(F){F!==W&&(V&&i.lineWidth(F),W=F)}function be(F,rt,nt){F?(Mt(i.POLYGON_OFFSET_FILL),(L!==rt||X!==nt)&&(L=rt,X=nt,o.getReversed()&&(rt=-rt,nt=-nt),i.polygonOffset(rt,nt))):Ht(i.POLYGON_OFFSET_FILL)}function yn(F){F?Mt(i.SCISSOR_TEST):Ht(i.SCISSOR_TEST)}function Ke(F){F===void 0&&(F=i.TEXTURE0+Z-1),Q!==F&&(i.activeTexture(F),Q=F)}function hn(F,rt,nt){nt===void 0&&(Q===null?nt=i.TEXTURE0+Z-1:nt=Q);let wt=it[nt];wt===void 0&&(wt={type:void 0,texture:void 0},it[nt]=wt),(wt.type!==F||wt.texture!==rt)&&(Q!==nt&&(i.activeTexture(nt),Q=nt),i.bindTexture(F,rt||Et[F]),wt.type=F,wt.texture=rt)}function O(){let F=it[Q];F!==void 0&&F.type!==void 0&&(i.bindTexture(F.type,null),F.type=void 0,F.texture=void 0)}function Rt(){try{i.compressedTexImage2D(...arguments)}catch(F){jt("WebGLState:",F)}}function Yt(){try{i.compressedTexImage3D(...arguments)}catch(F){jt("WebGLState:",F)}}function re(){try{i.texSubImage2D(...arguments)}catch(F){jt("WebGLState:",F)}}function St(){try{i.texSubImage3D(...arguments)}catch(F){jt("WebGLState:",F)}}function Oe(){try{i.compressedTexSubImage2D(...arguments)}catch(F){jt("WebGLState:",F)}}function kt(){try{i.compressedTexSubImage3D(...arguments)}catch(F){jt("WebGLState:",F)}}function Xt(){try{i.texStorage2D(...arguments)}catch(F){jt("WebGLState:",F)}}function R(){try{i.texStorage3D(...arguments)}catch(F){jt("WebGLState:",F)}}function M(){try{i.texImage2D(...arguments)}catch(F){jt("WebGLState:",F)}}function q(){try{i.texImage3D(...arguments)}catch(F){jt("WebGLState:",F)}}function ht(F){return u[F]!==void 0?u[F]:i.getParameter(F)}function ot(F,rt){u[F]!==rt&&(i.pixelStorei(F,rt),u[F]=rt)}function xt(F){tt.equals(F)===!1&&(i.scissor(F.x,F.y,F.z,F.w),tt.copy(F))}function vt(F){mt.equals(F)===!1&&(i.viewport(F.x,F.y,F.z,F.w),mt.copy(F))}function et(F,rt){let nt=c.get(rt);nt===void 0&&(nt=new WeakMap,c.set(rt,nt));let wt=nt.get(F);wt===void 0&&(wt=i.getUniformBlockIndex(rt,F.name),i.uniformBlockBinding(rt,wt,wt),nt.set(F,wt))}function st(F,rt,nt){let gt=c.get(rt).get(F);l[gt]!==nt&&(i.bindBufferBase(i.UNIFORM_BUFFER,gt,nt),l[gt]=nt)}function pt(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),i.pixelStorei(i.PACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,!1),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,i.BROWSER_DEFAULT_WEBGL),i.pixelStorei(i.PACK_ROW_LENGTH,0),i.pixelStorei(i.PACK_SKIP_PIXELS,0),i.pixelStorei(i.PACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_ROW_LENGTH,0),i.pixelStorei(i.UNPACK_IMAGE_HEIGHT,0),i.pixelStorei(i.UNPACK_SKIP_PIXELS,0),i.pixelStorei(i.UNPACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_SKIP_IMAGES,0),h={},u={},Q=null,it={},f={},l={},d=new WeakMap,p=[],x=null,m=!1,g=null,b=null,S=null,y=null,C=null,E=null,_=null,A=new oe(0,0,0),B=0,U=!1,N=null,k=null,W=null,L=null,X=null,tt.set(0,0,i.canvas.width,i.canvas.height),mt.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:Mt,disable:Ht,bindFramebuffer:se,drawBuffers:Gt,useProgram:fe,setBlending:$e,setMaterial:ke,setFlipSided:cn,setCullFace:Ne,setLineWidth:En,setPolygonOffset:be,setScissorTest:yn,activeTexture:Ke,bindTexture:hn,unbindTexture:O,compressedTexImage2D:Rt,compressedTexImage3D:Yt,texImage2D:M,texImage3D:q,pixelStorei:ot,getParameter:ht,updateUBOMapping:et,uniformBlockBinding:st,texStorage2D:Xt,texStorage3D:R,texSubImage2D:re,texSubImage3D:St,compressedTexSubImage2D:Oe,compressedTexSubImage3D:kt,scissor:xt,viewport:vt,reset:pt}}function nA(i,t,e,n,s,r,o){let a=t.has("WEBGL_multisampled_render_to_texture")?t.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new Zt,h=new WeakMap,u=new Set,f,d=new WeakMap,p=new Set,x=new FinalizationRegistry(R=>p.delete(R)),m=!1;try{m=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function g(R,M){return m?new OffscreenCanvas(R,M):Ua("canvas")}function b(R,M,q){let ht=1,ot=Xt(R);if((ot.width>q||ot.height>q)&&(ht=q/Math.max(ot.width,ot.height)),ht<1)if(typeof HTMLImageElement<"u"&&R instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&R instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&R instanceof ImageBitmap||typeof VideoFrame<"u"&&R instanceof VideoFrame){let xt=Math.floor(ht*ot.width),vt=Math.floor(ht*ot.height);f===void 0&&(f=g(xt,vt));let et=M?g(xt,vt):f;return et.width=xt,et.height=vt,et.getContext("2d").drawImage(R,0,0,xt,vt),qt("WebGLRenderer: Texture has been resized from ("+ot.width+"x"+ot.height+") to ("+xt+"x"+vt+")."),et}else return"data"in R&&qt("WebGLRenderer: Image in DataTexture is too big ("+ot.width+"x"+ot.height+")."),R;return R}function S(R){return R.generateMipmaps}function y(R){i.generateMipmap(R)}function C(R){return R.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:R.isWebGL3DRenderTarget?i.TEXTURE_3D:R.isWebGLArrayRenderTarget||R.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function E(R,M,q,ht,ot,xt=!1){if(R!==null){if(i[R]!==void 0)return i[R];qt("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+R+"'")}let vt;ht&&(vt=t.get("EXT_texture_norm16"),vt||qt("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let et=M;if(M===i.RED&&(q===i.FLOAT&&(et=i.R32F),q===i.HALF_FLOAT&&(et=i.R16F),q===i.UNSIGNED_BYTE&&(et=i.R8),q===i.UNSIGNED_SHORT&&vt&&(et=vt.R16_EXT),q===i.SHORT&&vt&&(et=vt.R16_SNORM_EXT)),M===i.RED_INTEGER&&(q===i.UNSIGNED_BYTE&&(et=i.R8UI),q===i.UNSIGNED_SHORT&&(et=i.R16UI),q===i.UNSIGNED_INT&&(et=i.R32UI),q===i.BYTE&&(et=i.R8I),q===i.SHORT&&(et=i.R16I),q===i.INT&&(et=i.R32I)),M===i.RG&&(q===i.FLOAT&&(et=i.RG32F),q===i.HALF_FLOAT&&(et=i.RG16F),q===i.UNSIGNED_BYTE&&(et=i.RG8),q===i.UNSIGNED_SHORT&&vt&&(et=vt.RG16_EXT),q===i.SHORT&&vt&&(et=vt.RG16_SNORM_EXT)),M===i.RG_INTEGER&&(q===i.UNSIGNED_BYTE&&(et=i.RG8UI),q===i.UNSIGNED_SHORT&&(et=i.RG16UI),q===i.UNSIGNED_INT&&(et=i.RG32UI),q===i.BYTE&&(et=i.RG8I),q===i.SHORT&&(et=i.RG16I),q===i.INT&&(et=i.RG32I)),M===i.RGB_INTEGER&&(q===i.UNSIGNED_BYTE&&(et=i.RGB8UI),q===i.UNSIGNED_SHORT&&(et=i.RGB16UI),q===i.UNSIGNED_INT&&(et=i.RGB32UI),q===i.BYTE&&(et=i.RGB8I),q===i.SHORT&&(et=i.RGB16I),q===i.INT&&(et=i.RGB32I)),M===i.RGBA_INTEGER&&(q===i.UNSIGNED_BYTE&&(et=i.RGBA8UI),q===i.UNSIGNED_SHORT&&(et=i.RGBA16UI),q===i.UNSIGNED_INT&&(et=i.RGBA32UI),q===i.BYTE&&(et=i.RGBA8I),q===i.SHORT&&(et=i.RGBA16I),q===i.INT&&(et=i.RGBA32I)),M===i.RGB&&(q===i.UNSIGNED_SHORT&&vt&&(et=vt.RGB16_EXT),q===i.SHORT&&vt&&(et=vt.RGB16_SNORM_EXT),q===i.UNSIGNED_INT_5_9_9_9_REV&&(et=i.RGB9_E5),q===i.UNSIGNED_INT_10F_11F_11F_REV&&(et=i.R11F_G11F_B10F)),M===i.RGBA){let st=xt?Na:_e.getTransfer(ot);q===i.FLOAT&&(et=i.RGBA32F),q===i.HALF_FLOAT&&(et=i.RGBA16F),q===i.UNSIGNED_BYTE&&(et=st===Ce?i.SRGB8_ALPHA8:i.RGBA8),q===i.UNSIGNED_SHORT&&vt&&(et=vt.RGBA16_EXT),q===i.SHORT&&vt&&(et=vt.RGBA16_SNORM_EXT),q===i.UNSIGNED_SHORT_4_4_4_4&&(et=i.RGBA4),q===i.UNSIGNED_SHORT_5_5_5_1&&(et=i.RGB5_A1)}return(et===i.R16F||et===i.R32F||et===i.RG16F||et===i.RG32F||et===i.RGBA16F||et===i.RGBA32F)&&t.get("EXT_color_buffer_float"),et}function _(R,M){let q;return R?M===null||M===Yi||M===Lr?q=i.DEPTH24_STENCIL8:M===Di?q=i.DEPTH32F_STENCIL8:M===Wo&&(q=i.DEPTH24_STENCIL8,qt("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):M===null||M===Yi||M===Lr?q=i.DEPTH_COMPONENT24:M===Di?q=i.DEPTH_COMPONENT32F:M===Wo&&(q=i.DEPTH_COMPONENT16),q}function A(R,M){return S(R)===!0||R.isFramebufferTexture&&R.minFilter!==Fn&&R.minFilter!==ri?Math.log2(Math.max(M.width,M.height))+1:R.mipmaps.length>0?R.mipmaps.length:R.isCompressedTexture&&Array.isArray(R.image)?M.mipmaps.length:1}function B(R){let M=new WeakRef(R);n.get(R).__ref=M,p.add(M),x.register(R,M,M)}function U(R){let M=n.get(R).__ref;M!==void 0&&(p.delete(M),x.unregister(M))}function N(R){W(R.target)}function k(R){L(R.target)}function W(R){R.removeEventListener("dispose",N),U(R),Z(R),R.isVideoTexture&&h.delete(R),R.isHTMLTexture&&u.delete(R)}function L(R){R.removeEventListener("dispose",k),U(R),lt(R)}function X(){for(let R of p){let M=R.deref();M!==void 0&&(M.isRenderTarget===!0?L(M):W(M))}p.clear(),u.clear()}function Z(R){let M=n.get(R);if(M.__webglInit===void 0)return;let q=R.source,ht=d.get(q);if(ht){let ot=ht[M.__cacheKey];ot.usedTimes--,ot.usedTimes===0&&V(R),Object.keys(ht).length===0&&d.delete(q)}n.remove(R)}function V(R){let M=n.get(R);i.deleteTexture(M.__webglTexture);let q=R.source,ht=d.get(q);delete ht[M.__cacheKey],o.memory.textures--}function lt(R){let M=n.get(R);M.__depthDisposeCallback&&M.__depthDisposeCallback();let q=R.depthTexture;if(q&&q.renderTarget===R&&W(q),R.isWebGLCubeRenderTarget)for(let ot=0;ot<6;ot++){if(Array.isArray(M.__webglFramebuffer[ot]))for(let xt=0;xt<M.__webglFramebuffer[ot].length;xt++)i.deleteFramebuffer(M.__webglFramebuffer[ot][xt]);else i.deleteFramebuffer(M.__webglFramebuffer[ot]);M.__webglDepthbuffer&&i.deleteRenderbuffer(M.__webglDepthbuffer[ot])}else{if(Array.isArray(M.__webglFramebuffer))for(let ot=0;ot<M.__webglFramebuffer.length;ot++)i.deleteFramebuffer(M.__webglFramebuffer[ot]);else i.deleteFramebuffer(M.__webglFramebuffer);if(M.__webglDepthbuffer&&i.deleteRenderbuffer(M.__webglDepthbuffer),M.__webglMultisampledFramebuffer&&i.deleteFramebuffer(M.__webglMultisampledFramebuffer),M.__webglColorRenderbuffer)for(let ot=0;ot<M.__webglColorRenderbuffer.length;ot++)M.__webglColorRenderbuffer[ot]&&i.deleteRenderbuffer(M.__webglColorRenderbuffer[ot]);M.__webglDepthRenderbuffer&&i.deleteRenderbuffer(M.__webglDepthRenderbuffer)}let ht=R.textures;for(let ot=0,xt=ht.length;ot<xt;ot++){let vt=n.get(ht[ot]);vt.__webglTexture&&(i.deleteTexture(vt.__webglTexture),o.memory.textures--),n.remove(ht[ot])}n.remove(R)}let Y=0;function Q(){Y=0}function it(){return Y}function ft(R){Y=R}function ut(){let R=Y;return R>=s.maxTextures&&qt("WebGLTextures: Trying to use "+(R+1)+" texture units while this GPU supports only "+s.maxTextures),Y+=1,R}function tt(R){let M=[];return M.push(R.wrapS),M.push(R.wrapT),M.push(R.wrapR||0),M.push(R.magFilter),M.push(R.minFilter),M.push(R.anisotropy),M.push(R.internalFormat),M.push(R.format),M.push(R.type),M.push(R.generateMipmaps),M.push(R.mipmapsAutoUpdate),M.push(R.premultiplyAlpha),M.push(R.flipY),M.push(R.unpackAlignment),M.push(R.colorSpace),M.join()}function mt(R,M){let q=n.get(R);if(R.isVideoTexture&&Oe(R),R.isRenderTargetTexture===!1&&R.isExternalTexture!==!0&&R.version>0&&q.__version!==R.version){let ht=R.image;if(ht===null)qt("WebGLRenderer: Texture marked for update but no image data found.");else if(ht.complete===!1)qt("WebGLRenderer: Texture marked for update but image is incomplete");else{ke(q,R,M);return}}else R.isExternalTexture&&(q.__webglTexture=R.sourceTexture?R.sourceTexture:null);e.bindTexture(i.TEXTURE_2D,q.__webglTexture,i.TEXTURE0+M)}function _t(R,M){let q=n.get(R);if(R.isRenderTargetTexture===!1&&R.version>0&&q.__version!==R.version){ke(q,R,M);return}else R.isExternalTexture&&(q.__webglTexture=R.sourceTexture?R.sourceTexture:null);e.bindTexture(i.TEXTURE_2D_ARRAY,q.__webglTexture,i.TEXTURE0+M)}function Et(R,M){let q=n.get(R);if(R.isRenderTargetTexture===!1&&R.version>0&&q.__version!==R.version){ke(q,R,M);return}e.bindTexture(i.TEXTURE_3D,q.__webglTexture,i.TEXTURE0+M)}function Mt(R,M){let q=n.get(R);if(R.version>0&&q.__version!==R.version){cn(q,R,M);return}e.bindTexture(i.TEXTURE_CUBE_MAP,q.__webglTexture,i.TEXTURE0+M)}let Ht={[Xc]:i.REPEAT,[ls]:i.CLAMP_TO_EDGE,[qc]:i.MIRRORED_REPEAT},se={[Fn]:i.NEAREST,[c0]:i.NEAREST_MIPMAP_NEAREST,[dl]:i.NEAREST_MIPMAP_LINEAR,[ri]:i.LINEAR,[Sh]:i.LINEAR_MIPMAP_NEAREST,[Fs]:i.LINEAR_MIPMAP_LINEAR},Gt={[d0]:i.NEVER,[Ad]:i.ALWAYS,[p0]:i.LESS,[wd]:i.LEQUAL,[m0]:i.EQUAL,[Td]:i.GEQUAL,[g0]:i.GREATER,[x0]:i.NOTEQUAL};function fe(R,M){if(M.type===Di&&t.has("OES_texture_float_linear")===!1&&(M.magFilter===ri||M.magFilter===Sh||M.magFilter===dl||M.magFilter===Fs||M.minFilter===ri||M.minFilter===Sh||M.minFilter===dl||M.minFilter===Fs)&&qt("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(R,i.TEXTURE_WRAP_S,Ht[M.wrapS]),i.texParameteri(R,i.TEXTURE_WRAP_T,Ht[M.wrapT]),(R===i.TEXTURE_3D||R===i.TEXTURE_2D_ARRAY)&&i.texParameteri(R,i.TEXTURE_WRAP_R,Ht[M.wrapR]),i.texParameteri(R,i.TEXTURE_MAG_FILTER,se[M.magFilter]),i.texParameteri(R,i.TEXTURE_MIN_FILTER,se[M.minFilter]),M.compareFunction&&(i.texParameteri(R,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(R,i.TEXTURE_COMPARE_FUNC,Gt[M.compareFunction])),t.has("EXT_texture_filter_anisotropic")===!0){if(M.magFilter===Fn||M.minFilter!==dl&&M.minFilter!==Fs||M.type===Di&&t.has("OES_texture_float_linear")===!1)return;if(M.anisotropy>1||n.get(M).__currentAnisotropy){let q=t.get("EXT_texture_filter_anisotropic");i.texParameterf(R,q.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(M.anisotropy,s.getMaxAnisotropy())),n.get(M).__currentAnisotropy=M.anisotropy}}}function ce(R,M){let q=!1;R.__webglInit===void 0&&(R.__webglInit=!0,M.addEventListener("dispose",N),B(M));let ht=M.source,ot=d.get(ht);ot===void 0&&(ot={},d.set(ht,ot));let xt=tt(M);if(xt!==R.__cacheKey){ot[xt]===void 0&&(ot[xt]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,q=!0),ot[xt].usedTimes++;let vt=ot[R.__cacheKey];vt!==void 0&&(ot[R.__cacheKey].usedTimes--,vt.usedTimes===0&&V(M)),R.__cacheKey=xt,R.__webglTexture=ot[xt].texture}return q}function ne(R,M,q){return Math.floor(Math.floor(R/q)/M)}function $e(R,M,q,ht){let xt=R.updateRanges;if(xt.length===0)e.texSubImage2D(i.TEXTURE_2D,0,0,0,M.width,M.height,q,ht,M.data);else{xt.sort((F,rt)=>F.start-rt.start);let vt=0;for(let F=1;F<xt.length;F++){let rt=xt[vt],nt=xt[F],wt=rt.start+rt.count,gt=ne(nt.start,M.width,4),bt=ne(rt.start,M.width,4);nt.start<=wt+1&&gt===bt&&ne(nt.start+nt.count-1,M.width,4)===gt?rt.count=Math.max(rt.count,nt.start+nt.count-rt.start):(++vt,xt[vt]=nt)}xt.length=vt+1;let et=e.getParameter(i.UNPACK_ROW_LENGTH),st=e.getParameter(i.UNPACK_SKIP_PIXELS),pt=e.getParameter(i.UNPACK_SKIP_ROWS);e.pixelStorei(i.UNPACK_ROW_LENGTH,M.width);for(let F=0,rt=xt.length;F<rt;F++){let nt=xt[F],wt=Math.floor(nt.start/4),gt=Math.ceil(nt.count/4),bt=wt%M.width,Vt=Math.floor(wt/M.width),Jt=gt,ct=1;e.pixelStorei(i.UNPACK_SKIP_PIXELS,bt),e.pixelStorei(i.UNPACK_SKIP_ROWS,Vt),e.texSubImage2D(i.TEXTURE_2D,0,bt,Vt,Jt,ct,q,ht,M.data)}R.clearUpdateRanges(),e.pixelStorei(i.UNPACK_ROW_LENGTH,et),e.pixelStorei(i.UNPACK_SKIP_PIXELS,st),e.pixelStorei(i.UNPACK_SKIP_ROWS,pt)}}function ke(R,M,q){let ht=i.TEXTURE_2D;(M.isDataArrayTexture||M.isCompressedArrayTexture)&&(ht=i.TEXTURE_2D_ARRAY),M.isData3DTexture&&(ht=i.TEXTURE_3D);let ot=ce(R,M),xt=M.source;e.bindTexture(ht,R.__webglTexture,i.TEXTURE0+q);let vt=n.get(xt);if(xt.version!==vt.__version||ot===!0){if(e.activeTexture(i.TEXTURE0+q),(typeof ImageBitmap<"u"&&M.image instanceof ImageBitmap)===!1){let ct=_e.getPrimaries(_e.workingColorSpace),Ot=M.colorSpace===Bs?null:_e.getPrimaries(M.colorSpace),Kt=M.colorSpace===Bs||ct===Ot?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,M.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,M.premultiplyAlpha),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Kt)}e.pixelStorei(i.UNPACK_ALIGNMENT,M.unpackAlignment);let st=b(M.image,!1,s.maxTextureSize);st=kt(M,st);let pt=r.convert(M.format,M.colorSpace),F=r.convert(M.type),rt=E(M.internalFormat,pt,F,M.normalized,M.colorSpace,M.isVideoTexture);fe(ht,M);let nt,wt=M.mipmaps,gt=M.isVideoTexture!==!0,bt=vt.__version===void 0||ot===!0,Vt=xt.dataReady,Jt=A(M,st);if(M.isDepthTexture)rt=_(M.format===Os,M.type),bt&&(gt?e.texStorage2D(i.TEXTURE_2D,1,rt,st.width,st.height):e.texImage2D(i.TEXTURE_2D,0,rt,st.width,st.height,0,pt,F,null));else if(M.isDataTexture)if(wt.length>0){gt&&bt&&e.texStorage2D(i.TEXTURE_2D,Jt,rt,wt[0].width,wt[0].height);for(let ct=0,Ot=wt.length;ct<Ot;ct++)nt=wt[ct],gt?Vt&&e.texSubImage2D(i.TEXTURE_2D,ct,0,0,nt.width,nt.height,pt,F,nt.data):e.texImage2D(i.TEXTURE_2D,ct,rt,nt.width,nt.height,0,pt,F,nt.data);M.generateMipmaps=!1}else gt?(bt&&e.texStorage2D(i.TEXTURE_2D,Jt,rt,st.width,st.height),Vt&&$e(M,st,pt,F)):e.texImage2D(i.TEXTURE_2D,0,rt,st.width,st.height,0,pt,F,st.data);else if(M.isCompressedTexture)if(M.isCompressedArrayTexture){gt&&bt&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Jt,rt,wt[0].width,wt[0].height,st.depth);for(let ct=0,Ot=wt.length;ct<Ot;ct++)if(nt=wt[ct],M.format!==Zi)if(pt!==null)if(gt){if(Vt)if(M.layerUpdates.size>0){let Kt=Od(nt.width,nt.height,M.format,M.type);for(let Ct of M.layerUpdates){let ae=nt.data.subarray(Ct*Kt/nt.data.BYTES_PER_ELEMENT,(Ct+1)*Kt/nt.data.BYTES_PER_ELEMENT);e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,ct,0,0,Ct,nt.width,nt.height,1,pt,ae)}}else e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,ct,0,0,0,nt.width,nt.height,st.depth,pt,nt.data)}else e.compressedTexImage3D(i.TEXTURE_2D_ARRAY,ct,rt,nt.width,nt.height,st.depth,0,nt.data,0,0);else qt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else gt?Vt&&e.texSubImage3D(i.TEXTURE_2D_ARRAY,ct,0,0,0,nt.width,nt.height,st.depth,pt,F,nt.data):e.texImage3D(i.TEXTURE_2D_ARRAY,ct,rt,nt.width,nt.height,st.depth,0,pt,F,nt.data);M.layerUpdates.size>0&&M.clearLayerUpdates()}else{gt&&bt&&e.texStorage2D(i.TEXTURE_2D,Jt,rt,wt[0].width,wt[0].height);for(let ct=0,Ot=wt.length;ct<Ot;ct++)nt=wt[ct],M.format!==Zi?pt!==null?gt?Vt&&e.compressedTexSubImage2D(i.TEXTURE_2D,ct,0,0,nt.width,nt.height,pt,nt.data):e.compressedTexImage2D(i.TEXTURE_2D,ct,rt,nt.width,nt.height,0,nt.data):qt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):gt?Vt&&e.texSubImage2D(i.TEXTURE_2D,ct,0,0,nt.width,nt.height,pt,F,nt.data):e.texImage2D(i.TEXTURE_2D,ct,rt,nt.width,nt.height,0,pt,F,nt.data)}else if(M.isDataArrayTexture)if(gt){if(bt&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Jt,rt,st.width,st.height,st.depth),Vt)if(M.layerUpdates.size>0){let ct=Od(st.width,st.height,M.format,M.type);for(let Ot of M.layerUpdates){let Kt=st.data.subarray(Ot*ct/st.data.BYTES_PER_ELEMENT,(Ot+1)*ct/st.data.BYTES_PER_ELEMENT);e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,Ot,st.width,st.height,1,pt,F,Kt)}M.clearLayerUpdates()}else e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,st.width,st.height,st.depth,pt,F,st.data)}else e.texImage3D(i.TEXTURE_2D_ARRAY,0,rt,st.width,st.height,st.depth,0,pt,F,st.data);else if(M.isData3DTexture)gt?(bt&&e.texStorage3D(i.TEXTURE_3D,Jt,rt,st.width,st.height,st.depth),Vt&&e.texSubImage3D(i.TEXTURE_3D,0,0,0,0,st.width,st.height,st.depth,pt,F,st.data)):e.texImage3D(i.TEXTURE_3D,0,rt,st.width,st.height,st.depth,0,pt,F,st.data);else if(M.isFramebufferTexture){if(bt)if(gt)e.texStorage2D(i.TEXTURE_2D,Jt,rt,st.width,st.height);else{let ct=st.width,Ot=st.height;for(let Kt=0;Kt<Jt;Kt++)e.texImage2D(i.TEXTURE_2D,Kt,rt,ct,Ot,0,pt,F,null),ct>>=1,Ot>>=1}}else if(M.isHTMLTexture){if("texElementImage2D"in i){let ct=i.canvas;if(ct.hasAttribute("layoutsubtree")||ct.setAttribute("layoutsubtree","true"),st.parentNode!==ct){ct.appendChild(st),u.add(M),ct.onpaint=Ot=>{let Kt=Ot.changedElements;for(let Ct of u)Kt.includes(Ct.image)&&(Ct.needsUpdate=!0)},ct.requestPaint();return}if(i.texElementImage2D.length===3)i.texElementImage2D(i.TEXTURE_2D,i.RGBA8,st);else{let Kt=i.RGBA,Ct=i.RGBA,ae=i.UNSIGNED_BYTE;i.texElementImage2D(i.TEXTURE_2D,0,Kt,Ct,ae,st)}i.texParameteri(i.TEXTURE_2D,i.TEXTURE_MIN_FILTER,i.LINEAR),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_S,i.CLAMP_TO_EDGE),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_T,i.CLAMP_TO_EDGE)}}else if(wt.length>0){if(gt&&bt){let ct=Xt(wt[0]);e.texStorage2D(i.TEXTURE_2D,Jt,rt,ct.width,ct.height)}for(let ct=0,Ot=wt.length;ct<Ot;ct++)nt=wt[ct],gt?Vt&&e.texSubImage2D(i.TEXTURE_2D,ct,0,0,pt,F,nt):e.texImage2D(i.TEXTURE_2D,ct,rt,pt,F,nt);M.generateMipmaps=!1}else if(gt){if(bt){let ct=Xt(st);e.texStorage2D(i.TEXTURE_2D,Jt,rt,ct.width,ct.height)}Vt&&e.texSubImage2D(i.TEXTURE_2D,0,0,0,pt,F,st)}else e.texImage2D(i.TEXTURE_2D,0,rt,pt,F,st);S(M)&&M.mipmapsAutoUpdate===!0&&y(ht),vt.__version=xt.version,M.onUpdate&&M.onUpdate(M)}R.__version=M.version}function cn(R,M,q){if(M.image.length!==6)return;let ht=ce(R,M),ot=M.source;e.bindTexture(i.TEXTURE_CUBE_MAP,R.__webglTexture,i.TEXTURE0+q);let xt=n.get(ot);if(ot.version!==xt.__version||ht===!0){e.activeTexture(i.TEXTURE0+q);let vt=_e.getPrimaries(_e.workingColorSpace),et=M.colorSpace===Bs?null:_e.getPrimaries(M.colorSpace),st=M.colorSpace===Bs||vt===et?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,M.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,M.premultiplyAlpha),e.pixelStorei(i.UNPACK_ALIGNMENT,M.unpackAlignment),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,st);let pt=M.isCompressedTexture||M.image[0].isCompressedTexture,F=M.image[0]&&M.image[0].isDataTexture,rt=[];for(let Ct=0;Ct<6;Ct++)!pt&&!F?rt[Ct]=b(M.image[Ct],!0,s.maxCubemapSize):rt[Ct]=F?M.image[Ct].image:M.image[Ct],rt[Ct]=kt(M,rt[Ct]);let nt=rt[0],wt=r.convert(M.format,M.colorSpace),gt=r.convert(M.type),bt=E(M.internalFormat,wt,gt,M.normalized,M.colorSpace),Vt=M.isVideoTexture!==!0,Jt=xt.__version===void 0||ht===!0,ct=ot.dataReady,Ot=A(M,nt);fe(i.TEXTURE_CUBE_MAP,M);let Kt;if(M.isDepthTexture){if(bt=_(M.format===Os,M.type),Jt)if(Vt)e.texStorage2D(i.TEXTURE_CUBE_MAP,1,bt,nt.width,nt.height);else for(let Ct=0;Ct<6;Ct++)e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,bt,nt.width,nt.height,0,wt,gt,null)}else if(pt){Vt&&Jt&&e.texStorage2D(i.TEXTURE_CUBE_MAP,Ot,bt,nt.width,nt.height);for(let Ct=0;Ct<6;Ct++){Kt=rt[Ct].mipmaps;for(let ae=0;ae<Kt.length;ae++){let Ve=Kt[ae];M.format!==Zi?wt!==null?Vt?ct&&e.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae,0,0,Ve.width,Ve.height,wt,Ve.data):e.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae,bt,Ve.width,Ve.height,0,Ve.data):qt("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):Vt?ct&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae,0,0,Ve.width,Ve.height,wt,gt,Ve.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae,bt,Ve.width,Ve.height,0,wt,gt,Ve.data)}}}else{if(Kt=M.mipmaps,Vt&&Jt){Kt.length>0&&Ot++;let Ct=Xt(rt[0]);e.texStorage2D(i.TEXTURE_CUBE_MAP,Ot,bt,Ct.width,Ct.height)}for(let Ct=0;Ct<6;Ct++)if(F){Vt?ct&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,0,0,rt[Ct].width,rt[Ct].height,wt,gt,rt[Ct].data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,bt,rt[Ct].width,rt[Ct].height,0,wt,gt,rt[Ct].data);for(let ae=0;ae<Kt.length;ae++){let Kn=Kt[ae].image[Ct].image;Vt?ct&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae+1,0,0,Kn.width,Kn.height,wt,gt,Kn.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae+1,bt,Kn.width,Kn.height,0,wt,gt,Kn.data)}}else{Vt?ct&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,0,0,wt,gt,rt[Ct]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,bt,wt,gt,rt[Ct]);for(let ae=0;ae<Kt.length;ae++){let Ve=Kt[ae];Vt?ct&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae+1,0,0,wt,gt,Ve.image[Ct]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,ae+1,bt,wt,gt,Ve.image[Ct])}}}S(M)&&M.mipmapsAutoUpdate===!0&&y(i.TEXTURE_CUBE_MAP),xt.__version=ot.version,M.onUpdate&&M.onUpdate(M)}R.__version=M.version}function Ne(R,M,q,ht,ot,xt){let vt=r.convert(q.format,q.colorSpace),et=r.convert(q.type),st=E(q.internalFormat,vt,et,q.normalized,q.colorSpace),pt=n.get(M),F=n.get(q);if(F.__renderTarget=M,!pt.__hasExternalTextures){let rt=Math.max(1,M.width>>xt),nt=Math.max(1,M.height>>xt);ot===i.TEXTURE_3D||ot===i.TEXTURE_2D_ARRAY?e.texImage3D(ot,xt,st,rt,nt,M.depth,0,vt,et,null):e.texImage2D(ot,xt,st,rt,nt,0,vt,et,null)}e.bindFramebuffer(i.FRAMEBUFFER,R),St(M)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,ht,ot,F.__webglTexture,0,re(M)):(ot===i.TEXTURE_2D||ot>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&ot<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,ht,ot,F.__webglTexture,xt),e.bindFramebuffer(i.FRAMEBUFFER,null)}function En(R,M,q){if(i.bindRenderbuffer(i.RENDERBUFFER,R),M.depthBuffer){let ht=M.depthTexture,ot=ht&&ht.isDepthTexture?ht.type:null,xt=_(M.stencilBuffer,ot),vt=M.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;St(M)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,re(M),xt,M.width,M.height):q?i.renderbufferStorageMultisample(i.RENDERBUFFER,re(M),xt,M.width,M.height):i.renderbufferStorage(i.RENDERBUFFER,xt,M.width,M.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,vt,i.RENDERBUFFER,R)}else{let ht=M.textures;for(let ot=0;ot<ht.length;ot++){let xt=ht[ot],vt=r.convert(xt.format,xt.colorSpace),et=r.convert(xt.type),st=E(xt.internalFormat,vt,et,xt.normalized,xt.colorSpace);St(M)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,re(M),st,M.width,M.height):q?i.renderbufferStorageMultisample(i.RENDERBUFFER,re(M),st,M.width,M.height):i.renderbufferStorage(i.RENDERBUFFER,st,M.width,M.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function be(R,M,q){let ht=M.isWebGLCubeRenderTarget===!0;if(e.bindFramebuffer(i.FRAMEBUFFER,R),!(M.depthTexture&&M.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let ot=n.get(M.depthTexture);ot.__renderTarget=M;let xt=ht?M.depthTexture.image[0]:M.depthTexture.image;(!ot.__webglTexture||xt.width!==M.width||xt.height!==M.height)&&(xt.width=M.width,xt.height=M.height,M.depthTexture.needsUpdate=!0),ht?Mt(M.depthTexture,0):mt(M.depthTexture,0);let vt=ot.__webglTexture,et=re(M),st=ht?i.TEXTURE_CUBE_MAP_POSITIVE_X+q:i.TEXTURE_2D,pt=M.depthTexture.format===Os?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;if(M.depthTexture.format===Is)St(M)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,pt,st,vt,0,et):i.framebufferTexture2D(i.FRAMEBUFFER,pt,st,vt,0);else if(M.depthTexture.format===Os)St(M)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,pt,st,vt,0,et):i.framebufferTexture2D(i.FRAMEBUFFER,pt,st,vt,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function yn(R){let M=n.get(R),q=R.isWebGLCubeRenderTarget===!0;if(M.__boundDepthTexture!==R.depthTexture){let ht=R.depthTexture;if(M.__depthDisposeCallback&&M.__depthDisposeCallback(),ht){let ot=()=>{delete M.__boundDepthTexture,delete M.__depthDisposeCallback,ht.removeEventListener("dispose",ot)};ht.addEventListener("dispose",ot),M.__depthDisposeCallback=ot}M.__boundDepthTexture=ht}if(R.depthTexture&&!M.__autoAllocateDepthBuffer)if(q)for(let ht=0;ht<6;ht++)be(M.__webglFramebuffer[ht],R,ht);else R.texture.mipmaps.length>0?be(M.__webglFramebuffer[0],R,0):be(M.__webglFramebuffer,R,0);else if(q){M.__webglDepthbuffer=[];for(let ht=0;ht<6;ht++)if(e.bindFramebuffer(i.FRAMEBUFFER,M.__webglFramebuffer[ht]),M.__webglDepthbuffer[ht]===void 0)M.__webglDepthbuffer[ht]=i.createRenderbuffer(),En(M.__webglDepthbuffer[ht],R,!1);else{let ot=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,xt=M.__webglDepthbuffer[ht];i.bindRenderbuffer(i.RENDERBUFFER,xt),i.framebufferRenderbuffer(i.FRAMEBUFFER,ot,i.RENDERBUFFER,xt)}}else if(R.texture.mipmaps.length>0?e.bindFramebuffer(i.FRAMEBUFFER,M.__webglFramebuffer[0]):e.bindFramebuffer(i.FRAMEBUFFER,M.__webglFramebuffer),M.__webglDepthbuffer===void 0)M.__webglDepthbuffer=i.createRenderbuffer(),En(M.__webglDepthbuffer,R,!1);else{let ot=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,xt=M.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,xt),i.framebufferRenderbuffer(i.FRAMEBUFFER,ot,i.RENDERBUFFER,xt)}e.bindFramebuffer(i.FRAMEBUFFER,null)}function Ke(R,M,q){let ht=n.get(R);M!==void 0&&Ne(ht.__webglFramebuffer,R,R.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),q!==void 0&&yn(R)}function hn(R){let M=R.texture,q=n.get(R),ht=n.get(M);R.addEventListener("dispose",k),B(R);let ot=R.textures,xt=R.isWebGLCubeRenderTarget===!0,vt=ot.length>1;if(vt||(ht.__webglTexture===void 0&&(ht.__webglTexture=i.createTexture()),ht.__version=M.version,o.memory.textures++),xt){q.__webglFramebuffer=[];for(let et=0;et<6;et++)if(M.mipmaps.length>0){q.__webglFramebuffer[et]=[];for(let st=0;st<M.mipmaps.length;st++)q.__webglFramebuffer[et][st]=i.createFramebuffer()}else q.__webglFramebuffer[et]=i.createFramebuffer()}else{if(M.mipmaps.length>0){q.__webglFramebuffer=[];for(let et=0;et<M.mipmaps.length;et++)q.__webglFramebuffer[et]=i.createFramebuffer()}else q.__webglFramebuffer=i.createFramebuffer();if(vt)for(let et=0,st=ot.length;et<st;et++){let pt=n.get(ot[et]);pt.__webglTexture===void 0&&(pt.__webglTexture=i.createTexture(),o.memory.textures++)}if(R.samples>0&&St(R)===!1){q.__webglMultisampledFramebuffer=i.createFramebuffer(),q.__webglColorRenderbuffer=[],e.bindFramebuffer(i.FRAMEBUFFER,q.__webglMultisampledFramebuffer);for(let et=0;et<ot.length;et++){let st=ot[et];q.__webglColorRenderbuffer[et]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,q.__webglColorRenderbuffer[et]);let pt=r.convert(st.format,st.colorSpace),F=r.convert(st.type),rt=E(st.internalFormat,pt,F,st.normalized,st.colorSpace,R.isXRRenderTarget===!0),nt=re(R);i.renderbufferStorageMultisample(i.RENDERBUFFER,nt,rt,R.width,R.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+et,i.RENDERBUFFER,q.__webglColorRenderbuffer[et])}i.bindRenderbuffer(i.RENDERBUFFER,null),R.depthBuffer&&(q.__webglDepthRenderbuffer=i.createRenderbuffer(),En(q.__webglDepthRenderbuffer,R,!0)),e.bindFramebuffer(i.FRAMEBUFFER,null)}}if(xt){e.bindTexture(i.TEXTURE_CUBE_MAP,ht.__webglTexture),fe(i.TEXTURE_CUBE_MAP,M);for(let et=0;et<6;et++)if(M.mipmaps.length>0)for(let st=0;st<M.mipmaps.length;st++)Ne(q.__webglFramebuffer[et][st],R,M,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+et,st);else Ne(q.__webglFramebuffer[et],R,M,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+et,0);S(M)?y(i.TEXTURE_CUBE_MAP):M.mipmaps.length>0&&i.texParameteri(i.TEXTURE_CUBE_MAP,i.TEXTURE_MAX_LEVEL,M.mipmaps.length-1),e.unbindTexture()}else if(vt){for(let et=0,st=ot.length;et<st;et++){let pt=ot[et],F=n.get(pt),rt=i.TEXTURE_2D;(R.isWebGL3DRenderTarget||R.isWebGLArrayRenderTarget)&&(rt=R.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(rt,F.__webglTexture),fe(rt,pt),Ne(q.__webglFramebuffer,R,pt,i.COLOR_ATTACHMENT0+et,rt,0),S(pt)&&y(rt)}e.unbindTexture()}else{let et=i.TEXTURE_2D;if((R.isWebGL3DRenderTarget||R.isWebGLArrayRenderTarget)&&(et=R.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(et,ht.__webglTexture),fe(et,M),M.mipmaps.length>0)for(let st=0;st<M.mipmaps.length;st++)Ne(q.__webglFramebuffer[st],R,M,i.COLOR_ATTACHMENT0,et,st);else Ne(q.__webglFramebuffer,R,M,i.COLOR_ATTACHMENT0,et,0);S(M)?y(et):M.mipmaps.length>0&&i.texParameteri(et,i.TEXTURE_MAX_LEVEL,M.mipmaps.length-1),e.unbindTexture()}R.depthBuffer&&yn(R)}function O(R){let M=R.textures;for(let q=0,ht=M.length;q<ht;q++){let ot=M[q];if(S(ot)&&ot.mipmapsAutoUpdate===!0){let xt=C(R),vt=n.get(ot).__webglTexture;e.bindTexture(xt,vt),y(xt),e.unbindTexture()}}}let Rt=[];function Yt(R){if(R.samples>0){if(St(R)===!1){let M=R.textures,q=R.width,ht=R.height,ot=i.COLOR_BUFFER_BIT,xt=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,vt=n.get(R),et=M.length>1;if(et)for(let pt=0;pt<M.length;pt++)e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.RENDERBUFFER,null),e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.TEXTURE_2D,null,0);e.bindFramebuffer(i.READ_FRAMEBUFFER,vt.__webglMultisampledFramebuffer),R.texture.mipmaps.length>0?e.bindFramebuffer(i.DRAW_FRAMEBUFFER,vt.__webglFramebuffer[0]):e.bindFramebuffer(i.DRAW_FRAMEBUFFER,vt.__webglFramebuffer);for(let pt=0;pt<M.length;pt++){if(R.resolveDepthBuffer&&(R.depthBuffer&&(ot|=i.DEPTH_BUFFER_BIT),R.stencilBuffer&&R.resolveStencilBuffer&&(ot|=i.STENCIL_BUFFER_BIT)),et){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,vt.__webglColorRenderbuffer[pt]);let F=n.get(M[pt]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,F,0)}i.blitFramebuffer(0,0,q,ht,0,0,q,ht,ot,i.NEAREST),l===!0&&(Rt.length=0,Rt.push(i.COLOR_ATTACHMENT0+pt),R.depthBuffer&&R.storeMultisampledDepthBuffer===!1&&Rt.push(xt),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,Rt))}if(e.bindFramebuffer(i.READ_FRAMEBUFFER,null),e.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),et)for(let pt=0;pt<M.length;pt++){e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.RENDERBUFFER,vt.__webglColorRenderbuffer[pt]);let F=n.get(M[pt]).__webglTexture;e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.TEXTURE_2D,F,0)}e.bindFramebuffer(i.DRAW_FRAMEBUFFER,vt.__webglMultisampledFramebuffer)}else if(R.depthBuffer&&R.storeMultisampledDepthBuffer===!1&&l){let M=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[M])}}}function re(R){return Math.min(s.maxSamples,R.samples)}function St(R){let M=n.get(R);return R.samples>0&&t.has("WEBGL_multisampled_render_to_texture")===!0&&M.__useRenderToTexture!==!1}function Oe(R){let M=o.render.frame;h.get(R)!==M&&(h.set(R,M),R.update())}function kt(R,M){let q=R.colorSpace,ht=R.format,ot=R.type;return R.isCompressedTexture===!0||R.isVideoTexture===!0||q!==$n&&q!==Bs&&(_e.getTransfer(q)===Ce?(ht!==Zi||ot!==di)&&qt("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):jt("WebGLTextures: Unsupported texture color space:",q)),M}function Xt(R){return typeof HTMLImageElement<"u"&&R instanceof HTMLImageElement?(c.width=R.naturalWidth||R.width,c.height=R.naturalHeight||R.height):typeof VideoFrame<"u"&&R instanceof VideoFrame?(c.width=R.displayWidth,c.height=R.displayHeight):(c.width=R.width,c.height=R.height),c}this.allocateTextureUnit=ut,this.resetTextureUnits=Q,this.getTextureUnits=it,this.setTextureUnits=ft,this.setTexture2D=mt,this.setTexture2DArray=_t,this.setTexture3D=Et,this.setTextureCube=Mt,this.rebindTextures=Ke,this.setupRenderTarget=hn,this.updateRenderTargetMipmap=O,this.updateMultisampleRenderTarget=Yt,this.setupDepthRenderbuffer=yn,this.setupFrameBufferTexture=Ne,this.useMultisampledRTT=St,this.dispose=X}function iA(i,t){function e(n,s=Bs){let r,o=_e.getTransfer(s);if(n===di)return i.UNSIGNED_BYTE;if(n===Th)return i.UNSIGNED_SHORT_4_4_4_4;if(n===Ah)return i.UNSIGNED_SHORT_5_5_5_1;if(n===yd)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===bd)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===_d)return i.BYTE;if(n===vd)return i.SHORT;if(n===Wo)return i.UNSIGNED_SHORT;if(n===wh)return i.INT;if(n===Yi)return i.UNSIGNED_INT;if(n===Di)return i.FLOAT;if(n===$i)return i.HALF_FLOAT;if(n===Md)return i.ALPHA;if(n===Sd)return i.RGB;if(n===Zi)return i.RGBA;if(n===Is)return i.DEPTH_COMPONENT;if(n===Os)return i.DEPTH_STENCIL;if(n===Eh)return i.RED;if(n===Ch)return i.RED_INTEGER;if(n===cr)return i.RG;if(n===Rh)return i.RG_INTEGER;if(n===Ph)return i.RGBA_INTEGER;if(n===pl||n===ml||n===gl||n===xl)if(o===Ce)if(r=t.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===pl)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===ml)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===gl)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===xl)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=t.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===pl)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===ml)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===gl)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===xl)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===Ih||n===Lh||n===Dh||n===Nh)if(r=t.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===Ih)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===Lh)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===Dh)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===Nh)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===Uh||n===Fh||n===Oh||n===Bh||n===zh||n===_l||n===kh)if(r=t.get("WEBGL_compressed_texture_etc"),r!==null){if(n===Uh||n===Fh)return o===Ce?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===Oh)return o===Ce?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(n===Bh)return r.COMPRESSED_R11_EAC;if(n===zh)return r.COMPRESSED_SIGNED_R11_EAC;if(n===_l)return r.COMPRESSED_RG11_EAC;if(n===kh)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(n===Gh||n===Vh||n===Hh||n===Wh||n===Xh||n===qh||n===Yh||n===$h||n===Zh||n===Jh||n===Kh||n===jh||n===Qh||n===tu)if(r=t.get("WEBGL_compressed_texture_astc"),r!==null){if(n===Gh)return o===Ce?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===Vh)return o===Ce?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===Hh)return o===Ce?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===Wh)return o===Ce?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===Xh)return o===Ce?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===qh)return o===Ce?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===Yh)return o===Ce?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===$h)return o===Ce?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===Zh)return o===Ce?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===Jh)return o===Ce?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===Kh)return o===Ce?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===jh)return o===Ce?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===Qh)return o===Ce?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===tu)return o===Ce?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===eu||n===nu||n===iu)if(r=t.get("EXT_texture_compression_bptc"),r!==null){if(n===eu)return o===Ce?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===nu)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===iu)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===su||n===ru||n===vl||n===ou)if(r=t.get("EXT_texture_compression_rgtc"),r!==null){if(n===su)return r.COMPRESSED_RED_RGTC1_EXT;if(n===ru)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===vl)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===ou)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===Lr?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:e}}var sA=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,rA=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,Kd=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(t,e){if(this.texture===null){let n=new Ka(t.texture);(t.depthNear!==e.depthNear||t.depthFar!==e.depthFar)&&(this.depthNear=t.depthNear,this.depthFar=t.depthFar),this.texture=n}}getMesh(t){if(this.texture!==null&&this.mesh===null){let e=t.cameras[0].viewport,n=new _n({vertexShader:sA,fragmentShader:rA,uniforms:{depthColor:{value:this.texture},depthWidth:{value:e.z},depthHeight:{value:e.w}}});this.mesh=new xn(new tl(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},jd=class extends cs{constructor(t,e){super();let n=this,s=null,r=1,o=null,a="local-floor",l=1,c=null,h=null,u=null,f=null,d=null,p=null,x=typeof XRWebGLBinding<"u",m=new Kd,g={},b=e.getContextAttributes(),S=null,y=null,C=[],E=[],_=new Zt,A=null,B=null,U=new zn;U.viewport=new Me;let N=new zn;N.viewport=new Me;let k=[U,N],W=new xh,L=null,X=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(tt){let mt=C[tt];return mt===void 0&&(mt=new Fo,C[tt]=mt),mt.getTargetRaySpace()},this.getControllerGrip=function(tt){let mt=C[tt];return mt===void 0&&(mt=new Fo,C[tt]=mt),mt.getGripSpace()},this.getHand=function(tt){let mt=C[tt];return mt===void 0&&(mt=new Fo,C[tt]=mt),mt.getHandSpace()};function Z(tt){let mt=E.indexOf(tt.inputSource);if(mt===-1)return;let _t=C[mt];_t!==void 0&&(_t.update(tt.inputSource,tt.frame,c||o),_t.dispatchEvent({type:tt.type,data:tt.inputSource}))}function V(){s.removeEventListener("select",Z),s.removeEventListener("selectstart",Z),s.removeEventListener("selectend",Z),s.removeEventListener("squeeze",Z),s.removeEventListener("squeezestart",Z),s.removeEventListener("squeezeend",Z),s.removeEventListener("end",V),s.removeEventListener("inputsourceschange",lt);for(let tt=0;tt<C.length;tt++){let mt=E[tt];mt!==null&&(E[tt]=null,C[tt].disconnect(mt))}L=null,X=null,m.reset();for(let tt in g)delete g[tt];if(t.setRenderTarget(S),d=null,f=null,u=null,s=null,y=null,ut.stop(),n.isPresenting=!1,t.setPixelRatio(A),t.setSize(_.width,_.height,!1),B!==null){let tt=B.camera;tt.fov=B.fov,tt.zoom=B.zoom,tt.updateProjectionMatrix(),B=null}n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(tt){r=tt,n.isPresenting===!0&&qt("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(tt){a=tt,n.isPresenting===!0&&qt("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||o},this.setReferenceSpace=function(tt){c=tt},this.getBaseLayer=function(){return f!==null?f:d},this.getBinding=function(){return u===null&&x&&(u=new XRWebGLBinding(s,e)),u},this.getFrame=function(){return p},this.getSession=function(){return s},this.setSession=async function(tt){if(s=tt,s!==null){if(S=t.getRenderTarget(),s.addEventListener("select",Z),s.addEventListener("selectstart",Z),s.addEventListener("selectend",Z),s.addEventListener("squeeze",Z),s.addEventListener("squeezestart",Z),s.addEventListener("squeezeend",Z),s.addEventListener("end",V),s.addEventListener("inputsourceschange",lt),b.xrCompatible!==!0&&await e.makeXRCompatible(),A=t.getPixelRatio(),t.getSize(_),x&&"createProjectionLayer"in XRWebGLBinding.prototype){let _t=null,Et=null,Mt=null;b.depth&&(Mt=b.stencil?e.DEPTH24_STENCIL8:e.DEPTH_COMPONENT24,_t=b.stencil?Os:Is,Et=b.stencil?Lr:Yi);let Ht={colorFormat:e.RGBA8,depthFormat:Mt,scaleFactor:r};u=this.getBinding(),f=u.createProjectionLayer(Ht),s.updateRenderState({layers:[f]}),t.setPixelRatio(1),t.setSize(f.textureWidth,f.textureHeight,!1),y=new Mi(f.textureWidth,f.textureHeight,{format:Zi,type:di,depthTexture:new Ns(f.textureWidth,f.textureHeight,Et,void 0,void 0,void 0,void 0,void 0,void 0,_t),stencilBuffer:b.stencil,colorSpace:t.outputColorSpace,samples:b.antialias?4:0,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}else{let _t={antialias:b.antialias,alpha:!0,depth:b.depth,stencil:b.stencil,framebufferScaleFactor:r};d=new XRWebGLLayer(s,e,_t),s.updateRenderState({baseLayer:d}),t.setPixelRatio(1),t.setSize(d.framebufferWidth,d.framebufferHeight,!1),y=new Mi(d.framebufferWidth,d.framebufferHeight,{format:Zi,type:di,colorSpace:t.outputColorSpace,stencilBuffer:b.stencil,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}y.isXRRenderTarget=!0,this.setFoveation(l),c=null,o=await s.requestReferenceSpace(a),ut.setContext(s),ut.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return m.getDepthTexture()};function lt(tt){for(let mt=0;mt<tt.removed.length;mt++){let _t=tt.removed[mt],Et=E.indexOf(_t);Et>=0&&(E[Et]=null,C[Et].disconnect(_t))}for(let mt=0;mt<tt.added.length;mt++){let _t=tt.added[mt],Et=E.indexOf(_t);if(Et===-1){for(let Ht=0;Ht<C.length;Ht++)if(Ht>=E.length){E.push(_t),Et=Ht;break}else if(E[Ht]===null){E[Ht]=_t,Et=Ht;break}if(Et===-1)break}let Mt=C[Et];Mt&&Mt.connect(_t)}}function Y(tt,mt){mt===null?tt.matrixWorld.copy(tt.matrix):tt.matrixWorld.multiplyMatrices(mt.matrixWorld,tt.matrix),tt.matrixWorldInverse.copy(tt.matrixWorld).invert()}this.updateCamera=function(tt){if(s===null)return;let mt=tt.near,_t=tt.far;m.texture!==null&&(m.depthNear>0&&(mt=m.depthNear),m.depthFar>0&&(_t=m.depthFar)),W.near=N.near=U.near=mt,W.far=N.far=U.far=_t,(L!==W.near||X!==W.far)&&(s.updateRenderState({depthNear:W.near,depthFar:W.far}),L=W.near,X=W.far),W.layers.mask=tt.layers.mask|6,U.layers.mask=W.layers.mask&-5,N.layers.mask=W.layers.mask&-3;let Et=tt.parent,Mt=W.cameras;Y(W,Et);for(let Ht=0;Ht<Mt.length;Ht++)Y(Mt[Ht],Et);W.projectionMatrix.copy(U.projectionMatrix),W.projectionMatrixInverse.copy(U.projectionMatrixInverse),B===null&&tt.isPerspectiveCamera&&(B={camera:tt,fov:tt.fov,zoom:tt.zoom}),Q(tt,W,Et)};function Q(tt,mt,_t){_t===null?tt.matrix.copy(mt.matrixWorld):(tt.matrix.copy(_t.matrixWorld),tt.matrix.invert(),tt.matrix.multiply(mt.matrixWorld)),tt.matrix.decompose(tt.position,tt.quaternion,tt.scale),tt.updateMatrixWorld(!0),tt.projectionMatrix.copy(mt.projectionMatrix),tt.projectionMatrixInverse.copy(mt.projectionMatrixInverse),tt.isPerspectiveCamera&&(tt.fov=No*2*Math.atan(1/tt.projectionMatrix.elements[5]),tt.zoom=1)}this.getCamera=function(){return W},this.getFoveation=function(){if(!(f===null&&d===null))return l},this.setFoveation=function(tt){l=tt,f!==null&&(f.fixedFoveation=tt),d!==null&&d.fixedFoveation!==void 0&&(d.fixedFoveation=tt)},this.hasDepthSensing=function(){return m.texture!==null},this.getDepthSensingMesh=function(){return m.getMesh(W)},this.getCameraTexture=function(tt){return g[tt]};let it=null;function ft(tt,mt){if(h=mt.getViewerPose(c||o),p=mt,h!==null){let _t=h.views;d!==null&&(t.setRenderTargetFramebuffer(y,d.framebuffer),t.setRenderTarget(y));let Et=!1;_t.length!==W.cameras.length&&(W.cameras.length=0,Et=!0);for(let Gt=0;Gt<_t.length;Gt++){let fe=_t[Gt],ce=null;if(d!==null)ce=d.getViewport(fe);else{let $e=u.getViewSubImage(f,fe);ce=$e.viewport,Gt===0&&(t.setRenderTargetTextures(y,$e.colorTexture,$e.depthStencilTexture),t.setRenderTarget(y))}let ne=k[Gt];ne===void 0&&(ne=new zn,ne.layers.enable(Gt),ne.viewport=new Me,k[Gt]=ne),ne.matrix.fromArray(fe.transform.matrix),ne.matrix.decompose(ne.position,ne.quaternion,ne.scale),ne.projectionMatrix.fromArray(fe.projectionMatrix),ne.projectionMatrixInverse.copy(ne.projectionMatrix).invert(),ne.viewport.set(ce.x,ce.y,ce.width,ce.height),Gt===0&&(W.matrix.copy(ne.matrix),W.matrix.decompose(W.position,W.quaternion,W.scale)),Et===!0&&W.cameras.push(ne)}let Mt=s.enabledFeatures;if(Mt&&Mt.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&x){u=n.getBinding();let Gt=u.getDepthInformation(_t[0]);Gt&&Gt.isValid&&Gt.texture&&m.init(Gt,s.renderState)}if(Mt&&Mt.includes("camera-access")&&x){t.state.unbindTexture(),u=n.getBinding();for(let Gt=0;Gt<_t.length;Gt++){let fe=_t[Gt].camera;if(fe){let ce=g[fe];ce||(ce=new Ka,g[fe]=ce);let ne=u.getCameraImage(fe);ce.sourceTexture=ne}}}}for(let _t=0;_t<C.length;_t++){let Et=E[_t],Mt=C[_t];Et!==null&&Mt!==void 0&&Mt.update(Et,mt,c||o)}it&&it(tt,mt),mt.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:mt}),p=null}let ut=new Y0;ut.setAnimationLoop(ft),this.setAnimationLoop=function(tt){it=tt},this.dispose=function(){}}},oA=new ve,ix=new ee;ix.set(-1,0,0,0,1,0,0,0,1);function aA(i,t){function e(m,g){m.matrixAutoUpdate===!0&&m.updateMatrix(),g.value.copy(m.matrix)}function n(m,g){g.color.getRGB(m.fogColor.value,Nd(i)),g.isFog?(m.fogNear.value=g.near,m.fogFar.value=g.far):g.isFogExp2&&(m.fogDensity.value=g.density)}function s(m,g,b,S,y){g.isNodeMaterial?g.uniformsNeedUpdate=!1:g.isMeshBasicMaterial?r(m,g):g.isMeshLambertMaterial?(r(m,g),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)):g.isMeshToonMaterial?(r(m,g),u(m,g)):g.isMeshPhongMaterial?(r(m,g),h(m,g),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)):g.isMeshStandardMaterial?(r(m,g),f(m,g),g.isMeshPhysicalMaterial&&d(m,g,y)):g.isMeshMatcapMaterial?(r(m,g),p(m,g)):g.isMeshDepthMaterial?r(m,g):g.isMeshDistanceMaterial?(r(m,g),x(m,g)):g.isMeshNormalMaterial?r(m,g):g.isLineBasicMaterial?(o(m,g),g.isLineDashedMaterial&&a(m,g)):g.isPointsMaterial?l(m,g,b,S):g.isSpriteMaterial?c(m,g):g.isShadowMaterial?(m.color.value.copy(g.color),m.opacity.value=g.opacity):g.isShaderMaterial&&(g.uniformsNeedUpdate=!1)}function r(m,g){m.opacity.value=g.opacity,g.color&&m.diffuse.value.copy(g.color),g.emissive&&m.emissive.value.copy(g.emissive).multiplyScalar(g.emissiveIntensity),g.map&&(m.map.value=g.map,e(g.map,m.mapTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,e(g.alphaMap,m.alphaMapTransform)),g.bumpMap&&(m.bumpMap.value=g.bumpMap,e(g.bumpMap,m.bumpMapTransform),m.bumpScale.value=g.bumpScale,g.side===li&&(m.bumpScale.value*=-1)),g.normalMap&&(m.normalMap.value=g.normalMap,e(g.normalMap,m.normalMapTransform),m.normalScale.value.copy(g.normalScale),g.side===li&&m.normalScale.value.negate()),g.displacementMap&&(m.displacementMap.value=g.displacementMap,e(g.displacementMap,m.displacementMapTransform),m.displacementScale.value=g.displacementScale,m.displacementBias.value=g.displacementBias),g.emissiveMap&&(m.emissiveMap.value=g.emissiveMap,e(g.emissiveMap,m.emissiveMapTransform)),g.specularMap&&(m.specularMap.value=g.specularMap,e(g.specularMap,m.specularMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest);let b=t.get(g),S=b.envMap,y=b.envMapRotation;S&&(m.envMap.value=S,m.envMapRotation.value.setFromMatrix4(oA.makeRotationFromEuler(y)).transpose(),S.isCubeTexture&&S.isRenderTargetTexture===!1&&m.envMapRotation.value.premultiply(ix),m.reflectivity.value=g.reflectivity,m.ior.value=g.ior,m.refractionRatio.value=g.refractionRatio),g.lightMap&&(m.lightMap.value=g.lightMap,m.lightMapIntensity.value=g.lightMapIntensity,e(g.lightMap,m.lightMapTransform)),g.aoMap&&(m.aoMap.value=g.aoMap,m.aoMapIntensity.value=g.aoMapIntensity,e(g.aoMap,m.aoMapTransform))}function o(m,g){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,g.map&&(m.map.value=g.map,e(g.map,m.mapTransform))}function a(m,g){m.dashSize.value=g.dashSize,m.totalSize.value=g.dashSize+g.gapSize,m.scale.value=g.scale}function l(m,g,b,S){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,m.size.value=g.size*b,m.scale.value=S*.5,g.map&&(m.map.value=g.map,e(g.map,m.uvTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,e(g.alphaMap,m.alphaMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest)}function c(m,g){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,m.rotation.value=g.rotation,g.map&&(m.map.value=g.map,e(g.map,m.mapTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,e(g.alphaMap,m.alphaMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest)}function h(m,g){m.specular.value.copy(g.specular),m.shininess.value=Math.max(g.shininess,1e-4)}function u(m,g){g.gradientMap&&(m.gradientMap.value=g.gradientMap)}function f(m,g){m.metalness.value=g.metalness,g.metalnessMap&&(m.metalnessMap.value=g.metalnessMap,e(g.metalnessMap,m.metalnessMapTransform)),m.roughness.value=g.roughness,g.roughnessMap&&(m.roughnessMap.value=g.roughnessMap,e(g.roughnessMap,m.roughnessMapTransform)),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)}function d(m,g,b){m.ior.value=g.ior,g.diffuseRoughness>0&&(m.diffuseRoughness.value=g.diffuseRoughness,g.diffuseRoughnessMap&&(m.diffuseRoughnessMap.value=g.diffuseRoughnessMap,e(g.diffuseRoughnessMap,m.diffuseRoughnessMapTransform))),g.sheen>0&&(m.sheenColor.value.copy(g.sheenColor).multiplyScalar(g.sheen),m.sheenRoughness.value=g.sheenRoughness,g.sheenColorMap&&(m.sheenColorMap.value=g.sheenColorMap,e(g.sheenColorMap,m.sheenColorMapTransform)),g.sheenRoughnessMap&&(m.sheenRoughnessMap.value=g.sheenRoughnessMap,e(g.sheenRoughnessMap,m.sheenRoughnessMapTransform))),g.clearcoat>0&&(m.clearcoat.value=g.clearcoat,m.clearcoatRoughness.value=g.clearcoatRoughness,g.clearcoatMap&&(m.clearcoatMap.value=g.clearcoatMap,e(g.clearcoatMap,m.clearcoatMapTransform)),g.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=g.clearcoatRoughnessMap,e(g.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),g.clearcoatNormalMap&&(m.clearcoatNormalMap.value=g.clearcoatNormalMap,e(g.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(g.clearcoatNormalScale),g.side===li&&m.clearcoatNormalScale.value.negate())),g.dispersion>0&&(m.dispersion.value=g.dispersion),g.retroreflectivity>0&&(m.retroreflectivity.value=g.retroreflectivity),g.iridescence>0&&(m.iridescence.value=g.iridescence,m.iridescenceIOR.value=g.iridescenceIOR,m.iridescenceThicknessMinimum.value=g.iridescenceThicknessMinimum,m.iridescenceThicknessMaximum.value=g.iridescenceThicknessMaximum,g.iridescenceMap&&(m.iridescenceMap.value=g.iridescenceMap,e(g.iridescenceMap,m.iridescenceMapTransform)),g.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=g.iridescenceThicknessMap,e(g.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),g.transmission>0&&(m.transmission.value=g.transmission,m.transmissionSamplerMap.value=b.texture,m.transmissionSamplerSize.value.set(b.width,b.height),g.transmissionMap&&(m.transmissionMap.value=g.transmissionMap,e(g.transmissionMap,m.transmissionMapTransform)),m.thickness.value=g.thickness,g.thicknessMap&&(m.thicknessMap.value=g.thicknessMap,e(g.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=g.attenuationDistance,m.attenuationColor.value.copy(g.attenuationColor)),g.anisotropy>0&&(m.anisotropyVector.value.set(g.anisotropy*Math.cos(g.anisotropyRotation),g.anisotropy*Math.sin(g.anisotropyRotation)),g.anisotropyMap&&(m.anisotropyMap.value=g.anisotropyMap,e(g.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=g.specularIntensity,m.specularColor.value.copy(g.specularColor),g.specularColorMap&&(m.specularColorMap.value=g.specularColorMap,e(g.specularColorMap,m.specularColorMapTransform)),g.specularIntensityMap&&(m.specularIntensityMap.value=g.specularIntensityMap,e(g.specularIntensityMap,m.specularIntensityMapTransform))}function p(m,g){g.matcap&&(m.matcap.value=g.matcap)}function x(m,g){let b=t.get(g).light;m.referencePosition.value.setFromMatrixPosition(b.matrixWorld),m.nearDistance.value=b.shadow.camera.near,m.farDistance.value=b.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function lA(i,t,e,n){let s={},r={};function o(b,S){let y=S.program;n.uniformBlockBinding(b,y,s[b.id])}function a(b,S){let y=s[b.id];y===void 0&&(p(b),y=l(b),s[b.id]=y,b.addEventListener("dispose",m));let C=S.program;n.updateUBOMapping(b,C);let E=t.render.frame;r[b.id]!==E&&(c(b),r[b.id]=E)}function l(b){let S=i.createBuffer(),y=b.__size,C=b.usage;return i.bindBuffer(i.UNIFORM_BUFFER,S),i.bufferData(i.UNIFORM_BUFFER,y,C),i.bindBuffer(i.UNIFORM_BUFFER,null),S}function c(b){let S=s[b.id],y=b.uniforms,C=b.__cache;i.bindBuffer(i.UNIFORM_BUFFER,S);for(let E=0,_=y.length;E<_;E++){let A=y[E];if(Array.isArray(A))for(let B=0,U=A.length;B<U;B++)h(A[B],E,B,C);else h(A,E,0,C)}i.bindBuffer(i.UNIFORM_BUFFER,null)}function h(b,S,y,C){if(f(b,S,y,C)===!0){let E=b.__offset,_=b.value;if(Array.isArray(_)){let A=0;for(let B=0;B<_.length;B++){let U=_[B],N=x(U,!0);u(U,b.__data,A),A+=N.storage/Float32Array.BYTES_PER_ELEMENT}}else u(_,b.__data,0);i.bufferSubData(i.UNIFORM_BUFFER,E,b.__data)}}function u(b,S,y){typeof b=="number"||typeof b=="boolean"?S[y]=b:b.isMatrix3?(S[y]=b.elements[0],S[y+1]=b.elements[1],S[y+2]=b.elements[2],S[y+3]=0,S[y+4]=b.elements[3],S[y+5]=b.elements[4],S[y+6]=b.elements[5],S[y+7]=0,S[y+8]=b.elements[6],S[y+9]=b.elements[7],S[y+10]=b.elements[8],S[y+11]=0):ArrayBuffer.isView(b)?S.set(b.subarray(0,S.length-y),y):b.toArray(S,y)}function f(b,S,y,C){let E=b.value,_=S+"_"+y;if(Array.isArray(E)){C[_]===void 0&&(C[_]=[]);let A=C[_],B=!1;for(let U=0;U<E.length;U++)d(E[U],A,U)===!0&&(B=!0);return B}return d(E,C,_)}function d(b,S,y){if(S[y]===void 0)return typeof b=="number"||typeof b=="boolean"?S[y]=b:ArrayBuffer.isView(b)?S[y]=b.slice():S[y]=b.clone(),!0;{let C=S[y];if(typeof b=="number"||typeof b=="boolean"){if(C!==b)return S[y]=b,!0}else{if(ArrayBuffer.isView(b))return!0;if(C.equals(b)===!1)return C.copy(b),!0}}return!1}function p(b){let S=b.uniforms,y=0,C=16;for(let _=0,A=S.length;_<A;_++){let B=Array.isArray(S[_])?S[_]:[S[_]];for(let U=0,N=B.length;U<N;U++){let k=B[U],W=Array.isArray(k.value)?k.value:[k.value],L=Array.isArray(S[_])||Array.isArray(k.value),X=y;for(let V=0,lt=W.length;V<lt;V++){let Y=W[V],Q=x(Y,L),it=y%C,ft=it%Q.boundary,ut=it+ft;y+=ft,ut!==0&&C-ut<Q.storage&&(y+=C-ut),V===0&&(X=y),y+=Q.storage}let Z=k.type==="int"?Int32Array:k.type==="uint"?Uint32Array:Float32Array;k.__data=new Z((y-X)/Float32Array.BYTES_PER_ELEMENT),k.__offset=X}}let E=y%C;return E>0&&(y+=C-E),b.__size=y,b.__cache={},this}function x(b,S){let y={boundary:0,storage:0};return typeof b=="number"||typeof b=="boolean"?(y.boundary=4,y.storage=4):b.isVector2?(y.boundary=8,y.storage=8):b.isVector3||b.isColor?(y.boundary=16,y.storage=12):b.isVector4?(y.boundary=16,y.storage=16):b.isMatrix3?(y.boundary=16,y.storage=48):b.isMatrix4?(y.boundary=16,y.storage=64):b.isTexture?qt("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(b)?(y.boundary=16,y.storage=b.byteLength):qt("WebGLRenderer: Unsupported uniform value type.",b),S===!0&&(y.boundary=16,y.storage=Math.ceil(y.storage/16)*16),y}function m(b){let S=b.target;S.removeEventListener("dispose",m),i.deleteBuffer(s[S.id]),delete s[S.id],delete r[S.id]}function g(){for(let b in s)i.deleteBuffer(s[b]);s={},r={}}return{bind:o,update:a,dispose:g}}var cA=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),ds=null;function hA(){return ds===null&&(ds=new Ha(cA,16,16,cr,$i),ds.name="DFG_LUT",ds.minFilter=ri,ds.magFilter=ri,ds.wrapS=ls,ds.wrapT=ls,ds.generateMipmaps=!1,ds.needsUpdate=!0),ds}var qo=class{constructor(t={}){let{canvas:e=_0(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:f=!1,outputBufferType:d=di}=t;this.isWebGLRenderer=!0;let p;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");p=n.getContextAttributes().alpha}else p=o;let x=d,m=new Set([Ph,Rh,Ch]),g=new Set([di,Yi,Wo,Lr,Th,Ah]),b=new Uint32Array(4),S=new Int32Array(4),y={textures:[],min:[],max:[],resolution:[]},C=null,E=null,_=[],A=[],B=null;this.domElement=e,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=fs,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let U=this,N=!1,k=null,W=null,L=null,X=null;this._outputColorSpace=bi;let Z=0,V=0,lt=null,Y=-1,Q=null,it=new Me,ft=new Me,ut=null,tt=new oe(0),mt=0,_t=e.width,Et=e.height,Mt=1,Ht=null,se=null,Gt=new Me(0,0,_t,Et),fe=new Me(0,0,_t,Et),ce=!1,ne=new nr,$e=new jc,ke=!1,cn=!1,Ne=new ve,En=new G,be=new Me,yn={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},Ke=!1;function hn(){return lt===null?Mt:1}let O=n;function Rt(T,z){return e.getContext(T,z)}let Yt,re,St,Oe,kt,Xt,R,M,q,ht,ot,xt,vt,et,st,pt,F,rt,nt,wt,gt,bt,Vt;try{let T={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:h,failIfMajorPerformanceCaveat:u};if("setAttribute"in e&&e.setAttribute("data-engine",`three.js r${"187"}`),e.addEventListener("webglcontextlost",Ot,!1),e.addEventListener("webglcontextrestored",Kt,!1),e.addEventListener("webglcontextcreationerror",Ct,!1),O===null){let z="webgl2";if(O=Rt(z,T),O===null)throw Rt(z)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}Jt()}catch(T){throw e.removeEventListener("webglcontextlost",Ot,!1),e.removeEventListener("webglcontextrestored",Kt,!1),e.removeEventListener("webglcontextcreationerror",Ct,!1),jt("WebGLRenderer: "+T.message),T}function Jt(){Yt=new bw(O),Yt.init(),gt=new iA(O,Yt),re=new hw(O,Yt,t,gt),St=new eA(O,Yt),re.reversedDepthBuffer&&f&&St.buffers.depth.setReversed(!0),W=O.createFramebuffer(),L=O.createFramebuffer(),X=O.createFramebuffer(),Oe=new ww(O),kt=new GT,Xt=new nA(O,Yt,St,kt,re,gt,Oe),R=new yw(U),M=new AM(O),bt=new lw(O,M),q=new Mw(O,M,Oe,bt),ht=new Aw(O,q,M,bt,Oe),rt=new Tw(O,re,Xt),st=new uw(kt),ot=new kT(U,R,Yt,re,bt,st),xt=new aA(U,kt),vt=new HT,et=new ZT(Yt),F=new aw(U,R,St,ht,p,l),pt=new tA(U,ht,re),Vt=new lA(O,Oe,re,St),nt=new cw(O,Yt,Oe),wt=new Sw(O,Yt,Oe),Oe.programs=ot.programs,U.capabilities=re,U.extensions=Yt,U.properties=kt,U.renderLists=vt,U.shadowMap=pt,U.state=St,U.info=Oe}x!==di&&(B=new Cw(x,e.width,e.height,a,s,r));let ct=new jd(U,O);this.xr=ct,this.getContext=function(){return O},this.getContextAttributes=function(){return O.getContextAttributes()},this.forceContextLoss=function(){let T=Yt.get("WEBGL_lose_context");T&&T.loseContext()},this.forceContextRestore=function(){let T=Yt.get("WEBGL_lose_context");T&&T.restoreContext()},this.getPixelRatio=function(){return Mt},this.setPixelRatio=function(T){T!==void 0&&(Mt=T,this.setSize(_t,Et,!1))},this.getSize=function(T){return T.set(_t,Et)},this.setSize=function(T,z,j=!0){if(ct.isPresenting){qt("WebGLRenderer: Can't change size while VR device is presenting.");return}_t=T,Et=z,e.width=Math.floor(T*Mt),e.height=Math.floor(z*Mt),j===!0&&(e.style.width=T+"px",e.style.height=z+"px"),B!==null&&B.setSize(e.width,e.height),this.setViewport(0,0,T,z)},this.getDrawingBufferSize=function(T){return T.set(_t*Mt,Et*Mt).floor()},this.setDrawingBufferSize=function(T,z,j){_t=T,Et=z,Mt=j,e.width=Math.floor(T*j),e.height=Math.floor(z*j),this.setViewport(0,0,T,z)},this.setEffects=function(T){if(x===di){jt("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(T){for(let z=0;z<T.length;z++)if(T[z].isOutputPass===!0){qt("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}B.setEffects(T||[])},this.getCurrentViewport=function(T){return T.copy(it)},this.getViewport=function(T){return T.copy(Gt)},this.setViewport=function(T,z,j,$){T.isVector4?Gt.set(T.x,T.y,T.z,T.w):Gt.set(T,z,j,$),St.viewport(it.copy(Gt).multiplyScalar(hn()).round())},this.getScissor=function(T){return T.copy(fe)},this.setScissor=function(T,z,j,$){T.isVector4?fe.set(T.x,T.y,T.z,T.w):fe.set(T,z,j,$),St.scissor(ft.copy(fe).multiplyScalar(hn()).round())},this.getScissorTest=function(){return ce},this.setScissorTest=function(T){St.setScissorTest(ce=T)},this.setOpaqueSort=function(T){Ht=T},this.setTransparentSort=function(T){se=T},this.getClearColor=function(T){return T.copy(F.getClearColor())},this.setClearColor=function(){F.setClearColor(...arguments)},this.getClearAlpha=function(){return F.getClearAlpha()},this.setClearAlpha=function(){F.setClearAlpha(...arguments)},this.clear=function(T=!0,z=!0,j=!0){let $=0;if(T){let J=!1;if(lt!==null){let Tt=lt.texture.format;J=m.has(Tt)}if(J){let Tt=lt.texture.type,It=g.has(Tt),At=F.getClearColor(),Lt=F.getClearAlpha(),zt=At.r,Qt=At.g,de=At.b;It?(b[0]=zt,b[1]=Qt,b[2]=de,b[3]=Lt,O.clearBufferuiv(O.COLOR,0,b)):(S[0]=zt,S[1]=Qt,S[2]=de,S[3]=Lt,O.clearBufferiv(O.COLOR,0,S))}else $|=O.COLOR_BUFFER_BIT}z&&($|=O.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),j&&($|=O.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),$!==0&&O.clear($)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(T){T.setRenderer(this),k=T},this.dispose=function(){e.removeEventListener("webglcontextlost",Ot,!1),e.removeEventListener("webglcontextrestored",Kt,!1),e.removeEventListener("webglcontextcreationerror",Ct,!1),F.dispose(),vt.dispose(),et.dispose(),Xt.dispose(),kt.dispose(),R.dispose(),ht.dispose(),q.dispose(),bt.dispose(),Vt.dispose(),ot.dispose(),ct.dispose(),ct.removeEventListener("sessionstart",Bl),ct.removeEventListener("sessionend",ts),_s.stop()};function Ot(T){T.preventDefault(),Fa("WebGLRenderer: Context Lost."),N=!0}function Kt(){Fa("WebGLRenderer: Context Restored."),N=!1;let T=Oe.autoReset,z=pt.enabled,j=pt.autoUpdate,$=pt.needsUpdate,J=pt.type;Jt(),Oe.autoReset=T,pt.enabled=z,pt.autoUpdate=j,pt.needsUpdate=$,pt.type=J}function Ct(T){jt("WebGLRenderer: A WebGL context could not be created. Reason: ",T.statusMessage)}function ae(T){let z=T.target;z.removeEventListener("dispose",ae),Ve(z)}function Ve(T){Kn(T),kt.remove(T)}function Kn(T){let z=kt.get(T).programs;z!==void 0&&(z.forEach(function(j){ot.releaseProgram(j)}),T.isShaderMaterial&&ot.releaseShaderCache(T))}this.renderBufferDirect=function(T,z,j,$,J,Tt){z===null&&(z=yn);let It=J.isMesh&&J.matrixWorld.determinantAffine()<0,At=da(T,z,j,$,J);St.setMaterial($,It);let Lt=j.index,zt=1;if($.wireframe===!0){if(Lt=q.getWireframeAttribute(j),Lt===void 0)return;zt=2}let Qt=j.drawRange,de=j.attributes.position,Bt=Qt.start*zt,pe=(Qt.start+Qt.count)*zt;Tt!==null&&(Bt=Math.max(Bt,Tt.start*zt),pe=Math.min(pe,(Tt.start+Tt.count)*zt)),Lt!==null?(Bt=Math.max(Bt,0),pe=Math.min(pe,Lt.count)):de!=null&&(Bt=Math.max(Bt,0),pe=Math.min(pe,de.count));let Je=pe-Bt;if(Je<0||Je===1/0)return;bt.setup(J,$,At,j,Lt);let Pe,Ie=nt;if(Lt!==null&&(Pe=M.get(Lt),Ie=wt,Ie.setIndex(Pe)),J.isMesh)$.wireframe===!0?(St.setLineWidth($.wireframeLinewidth*hn()),Ie.setMode(O.LINES)):Ie.setMode(O.TRIANGLES);else if(J.isLine){let bn=$.linewidth;bn===void 0&&(bn=1),St.setLineWidth(bn*hn()),J.isLineSegments?Ie.setMode(O.LINES):J.isLineLoop?Ie.setMode(O.LINE_LOOP):Ie.setMode(O.LINE_STRIP)}else J.isPoints?Ie.setMode(O.POINTS):J.isSprite&&Ie.setMode(O.TRIANGLES);if(J.isBatchedMesh)if(Yt.get("WEBGL_multi_draw"))Ie.renderMultiDraw(J._multiDrawStarts,J._multiDrawCounts,J._multiDrawCount);else{let bn=J._multiDrawStarts,Ut=J._multiDrawCounts,un=J._multiDrawCount,xe=Lt?M.get(Lt).bytesPerElement:1,ys=kt.get($).currentProgram.getUniforms();for(let fn=0;fn<un;fn++)ys.setValue(O,"_gl_DrawID",fn),Ie.render(bn[fn]/xe,Ut[fn])}else if(J.isInstancedMesh)Ie.renderInstances(Bt,Je,J.count);else if(j.isInstancedBufferGeometry){let bn=j._maxInstanceCount!==void 0?j._maxInstanceCount:1/0,Ut=Math.min(j.instanceCount,bn);Ie.renderInstances(Bt,Je,Ut)}else Ie.render(Bt,Je)};function ha(T,z,j,$){k!==null&&T.isNodeMaterial&&k.setObject($,T),ke===!0&&st.setState(T,j,!1),T.transparent===!0&&T.side===kn&&T.forceSinglePass===!1?(T.side=li,T.needsUpdate=!0,es(T,z,$),T.side=us,T.needsUpdate=!0,es(T,z,$),T.side=kn):es(T,z,$)}this.compile=function(T,z,j=null){j===null&&(j=T),k!==null&&k.renderStart(T,z,j),E=et.get(j),E.init(z),A.push(E),j.traverseVisible(function(J){J.isLight&&J.layers.test(z.layers)&&(E.pushLight(J),J.castShadow&&E.pushShadow(J))}),T!==j&&T.traverseVisible(function(J){J.isLight&&J.layers.test(z.layers)&&(E.pushLight(J),J.castShadow&&E.pushShadow(J))}),E.setupLights(),k!==null&&k.updateLights(E.state.lightsArray),cn=this.localClippingEnabled,ke=st.init(this.clippingPlanes,cn),ke===!0&&st.setGlobalState(this.clippingPlanes,z),k!==null&&pt.render(E.state.shadowsArray,j,z);let $=new Set;return T.traverse(function(J){if(!(J.isMesh||J.isPoints||J.isLine||J.isSprite))return;let Tt=J.material;if(Tt)if(Array.isArray(Tt))for(let It=0;It<Tt.length;It++){let At=Tt[It];ha(At,j,z,J),$.add(At)}else ha(Tt,j,z,J),$.add(Tt)}),E=A.pop(),k!==null&&k.renderEnd(),$},this.compileAsync=function(T,z,j=null){let $=this.compile(T,z,j);return new Promise(J=>{function Tt(){if($.forEach(function(It){let Lt=kt.get(It).currentProgram;(Lt===void 0||Lt.isReady())&&$.delete(It)}),$.size===0){J(T);return}setTimeout(Tt,10)}Yt.get("KHR_parallel_shader_compile")!==null?Tt():setTimeout(Tt,10)})};let Vr=null;function hf(T){Vr&&Vr(T)}function Bl(){_s.stop()}function ts(){_s.start()}let _s=new Y0;_s.setAnimationLoop(hf),typeof self<"u"&&_s.setContext(self),this.setAnimationLoop=function(T){Vr=T,ct.setAnimationLoop(T),T===null?_s.stop():_s.start()},ct.addEventListener("sessionstart",Bl),ct.addEventListener("sessionend",ts),this.render=function(T,z){if(z!==void 0&&z.isCamera!==!0){jt("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(N===!0)return;k!==null&&k.renderStart(T,z);let j=ct.enabled===!0&&ct.isPresenting===!0,$=B!==null&&(lt===null||j)&&B.begin(U,lt);if(T.matrixWorldAutoUpdate===!0&&T.updateMatrixWorld(),z.parent===null&&z.matrixWorldAutoUpdate===!0&&z.updateMatrixWorld(),ct.enabled===!0&&ct.isPresenting===!0&&(B===null||B.isCompositing()===!1)&&(ct.cameraAutoUpdate===!0&&ct.updateCamera(z),z=ct.getCamera()),T.isScene===!0&&T.onBeforeRender(U,T,z,lt),E=et.get(T,A.length),E.init(z),E.state.textureUnits=Xt.getTextureUnits(),A.push(E),Ne.multiplyMatrices(z.projectionMatrix,z.matrixWorldInverse),z.isArrayCamera?$e.setFromArrayCamera(z):ne.setFromProjectionMatrix(Ne,Ii,z.reversedDepth),cn=this.localClippingEnabled,ke=st.init(this.clippingPlanes,cn),C=vt.get(T,_.length),C.init(),_.push(C),this.info.render.frame++,ct.enabled===!0&&ct.isPresenting===!0){let It=U.xr.getDepthSensingMesh();It!==null&&vs(It,z,-1/0,U.sortObjects)}vs(T,z,0,U.sortObjects),C.finish(),k!==null&&k.updateLights(E.state.lightsArray),U.sortObjects===!0&&C.sort(Ht,se),Ke=ct.enabled===!1||ct.isPresenting===!1||ct.hasDepthSensing()===!1,Ke&&F.addToRenderList(C,T),this.info.autoReset===!0&&this.info.reset(),ke===!0&&st.beginShadows();let J=E.state.shadowsArray;if(pt.render(J,T,z),ke===!0&&st.endShadows(),($&&B.hasRenderPass())===!1){let It=C.opaque,At=C.transmissive;if(E.setupLights(),z.isArrayCamera){let Lt=z.cameras;if(At.length>0)for(let zt=0,Qt=Lt.length;zt<Qt;zt++){let de=Lt[zt];Oi(It,At,T,de)}Ke&&F.render(T);for(let zt=0,Qt=Lt.length;zt<Qt;zt++){let de=Lt[zt];ua(C,T,de,de.viewport)}}else At.length>0&&Oi(It,At,T,z),Ke&&F.render(T),ua(C,T,z)}lt!==null&&V===0&&(Xt.updateMultisampleRenderTarget(lt),Xt.updateRenderTargetMipmap(lt)),$&&B.end(U),T.isScene===!0&&T.onAfterRender(U,T,z),bt.resetDefaultState(),Y=-1,Q=null,A.pop(),A.length>0?(E=A[A.length-1],Xt.setTextureUnits(E.state.textureUnits),ke===!0&&st.setGlobalState(U.clippingPlanes,E.state.camera)):E=null,_.pop(),_.length>0?C=_[_.length-1]:C=null,k!==null&&k.renderEnd()};function vs(T,z,j,$){if(T.visible===!1)return;if(T.layers.test(z.layers)){if(T.isGroup)j=T.renderOrder;else if(T.isLOD)T.autoUpdate===!0&&T.update(z);else if(T.isLight)E.pushLight(T),T.castShadow&&E.pushShadow(T);else if(T.isSprite){let It=z.isArrayCamera?$e:ne;if(!T.frustumCulled||T.intersectsFrustum(It)){$&&be.setFromMatrixPosition(T.matrixWorld).applyMatrix4(Ne);let At=ht.update(T),Lt=T.material;Lt.visible&&C.push(T,At,Lt,j,be.z,null,z)}}else if(T.isMesh||T.isLine||T.isPoints){let It=z.isArrayCamera?$e:ne;if(!T.frustumCulled||T.intersectsFrustum(It)){let At=ht.update(T),Lt=T.material;if($&&(T.boundingSphere!==void 0?(T.boundingSphere===null&&T.computeBoundingSphere(),be.copy(T.boundingSphere.center)):(At.boundingSphere===null&&At.computeBoundingSphere(),be.copy(At.boundingSphere.center)),be.applyMatrix4(T.matrixWorld).applyMatrix4(Ne)),Array.isArray(Lt)){let zt=At.groups;for(let Qt=0,de=zt.length;Qt<de;Qt++){let Bt=zt[Qt],pe=Lt[Bt.materialIndex];pe&&pe.visible&&C.push(T,At,pe,j,be.z,Bt,z)}}else Lt.visible&&C.push(T,At,Lt,j,be.z,null,z)}}}let Tt=T.children;for(let It=0,At=Tt.length;It<At;It++)vs(Tt[It],z,j,$)}function ua(T,z,j,$){let{opaque:J,transmissive:Tt,transparent:It}=T;E.setupLightsView(j),ke===!0&&st.setGlobalState(U.clippingPlanes,j),$&&St.viewport(it.copy($)),J.length>0&&je(J,z,j),Tt.length>0&&je(Tt,z,j),It.length>0&&je(It,z,j),St.buffers.depth.setTest(!0),St.buffers.depth.setMask(!0),St.buffers.color.setMask(!0),St.setPolygonOffset(!1)}function Oi(T,z,j,$){if((j.isScene===!0?j.overrideMaterial:null)!==null)return;if(E.state.transmissionRenderTarget[$.id]===void 0){let Bt=Yt.has("EXT_color_buffer_half_float")||Yt.has("EXT_color_buffer_float");E.state.transmissionRenderTarget[$.id]=new Mi(1,1,{generateMipmaps:!0,type:Bt?$i:di,minFilter:Fs,samples:Math.max(4,re.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:_e.workingColorSpace})}let Tt=E.state.transmissionRenderTarget[$.id],It=$.viewport||it;Tt.setSize(It.z*U.transmissionResolutionScale,It.w*U.transmissionResolutionScale);let At=U.getRenderTarget(),Lt=U.getActiveCubeFace(),zt=U.getActiveMipmapLevel();U.setRenderTarget(Tt),U.getClearColor(tt),mt=U.getClearAlpha(),mt<1&&U.setClearColor(16777215,.5),U.clear(),Ke&&F.render(j);let Qt=U.toneMapping;U.toneMapping=fs;let de=$.viewport;if($.viewport!==void 0&&($.viewport=void 0),E.setupLightsView($),ke===!0&&st.setGlobalState(U.clippingPlanes,$),je(T,j,$),Xt.updateMultisampleRenderTarget(Tt),Xt.updateRenderTargetMipmap(Tt),Yt.has("WEBGL_multisampled_render_to_texture")===!1){let Bt=!1;for(let pe=0,Je=z.length;pe<Je;pe++){let Pe=z[pe],{object:Ie,geometry:bn,material:Ut,group:un}=Pe;if(Ut.side===kn&&Ie.layers.test($.layers)){let xe=Ut.side;Ut.side=li,Ut.needsUpdate=!0,sn(Ie,j,$,bn,Ut,un),Ut.side=xe,Ut.needsUpdate=!0,Bt=!0}}Bt===!0&&(Xt.updateMultisampleRenderTarget(Tt),Xt.updateRenderTargetMipmap(Tt))}U.setRenderTarget(At,Lt,zt),U.setClearColor(tt,mt),de!==void 0&&($.viewport=de),U.toneMapping=Qt}function je(T,z,j){let $=z.isScene===!0?z.overrideMaterial:null;for(let J=0,Tt=T.length;J<Tt;J++){let It=T[J],{object:At,geometry:Lt,group:zt}=It,Qt=It.material;Qt.allowOverride===!0&&$!==null&&(Qt=$),At.layers.test(j.layers)&&sn(At,z,j,Lt,Qt,zt)}}function sn(T,z,j,$,J,Tt){k!==null&&J.isNodeMaterial&&k.setObject(T,J),T.onBeforeRender(U,z,j,$,J,Tt),T.modelViewMatrix.multiplyMatrices(j.matrixWorldInverse,T.matrixWorld),T.normalMatrix.getNormalMatrix(T.modelViewMatrix),J.onBeforeRender(U,z,j,$,T,Tt),J.transparent===!0&&J.side===kn&&J.forceSinglePass===!1?(J.side=li,J.needsUpdate=!0,U.renderBufferDirect(j,z,$,J,T,Tt),J.side=us,J.needsUpdate=!0,U.renderBufferDirect(j,z,$,J,T,Tt),J.side=kn):U.renderBufferDirect(j,z,$,J,T,Tt),T.onAfterRender(U,z,j,$,J,Tt)}function rn(T){let z=0;for(let j of T)j.texture!==null&&z++;return z}function es(T,z,j){z.isScene!==!0&&(z=yn);let $=kt.get(T),J=E.state.lights,Tt=E.state.shadowsArray,It=J.state.version,At=ot.getParameters(T,J.state,Tt,z,j,E.state.lightProbeGridArray),Lt=ot.getProgramCacheKey(At),zt=$.programs;$.environment=T.isMeshStandardMaterial||T.isMeshLambertMaterial||T.isMeshPhongMaterial?z.environment:null,$.fog=z.fog;let Qt=T.isMeshStandardMaterial||T.isMeshLambertMaterial&&!T.envMap||T.isMeshPhongMaterial&&!T.envMap;$.envMap=R.get(T.envMap||$.environment,Qt),$.envMapRotation=$.environment!==null&&T.envMap===null?z.environmentRotation:T.envMapRotation,zt===void 0&&(T.addEventListener("dispose",ae),zt=new Map,$.programs=zt,$.programVariants=new Map);let de=zt.get(Lt);if(de!==void 0){if($.currentProgram===de&&$.lightsStateVersion===It)return fa(T,At),de}else At.uniforms=ot.getUniforms(T),k!==null&&T.isNodeMaterial&&k.build(T,j,At),T.onBeforeCompile(At,U),de=ot.acquireProgram(At,Lt),zt.set(Lt,de),$.uniforms=At.uniforms;let Bt=$.uniforms;return(!T.isShaderMaterial&&!T.isRawShaderMaterial||T.clipping===!0)&&(Bt.clippingPlanes=st.uniform),fa(T,At),$.needsLights=Ws(T),$.lightsStateVersion=It,$.needsLights&&(Bt.ambientLightColor.value=J.state.ambient,Bt.lightProbe.value=J.state.probe,Bt.sunLights.value=J.state.sun,Bt.sunLightShadows.value=J.state.sunShadow,Bt.directionalLights.value=J.state.directional,Bt.directionalLightShadows.value=J.state.directionalShadow,Bt.spotLights.value=J.state.spot,Bt.spotLightShadows.value=J.state.spotShadow,Bt.rectAreaLights.value=J.state.rectArea,Bt.ltc_1.value=J.state.rectAreaLTC1,Bt.ltc_2.value=J.state.rectAreaLTC2,Bt.pointLights.value=J.state.point,Bt.pointLightShadows.value=J.state.pointShadow,Bt.hemisphereLights.value=J.state.hemi,Bt.sunShadowMatrix.value=J.state.sunShadowMatrix,Bt.sunShadowCascade.value=J.state.sunShadowCascade,Bt.directionalShadowMatrix.value=J.state.directionalShadowMatrix,Bt.spotLightMatrix.value=J.state.spotLightMatrix,Bt.spotLightMap.value=J.state.spotLightMap,Bt.pointShadowMatrix.value=J.state.pointShadowMatrix),$.numLightProbeGrids=rn(E.state.lightProbeGridArray),$.currentProgram=de,$.uniformsList=null,de}function pi(T,z,j,$,J){let Tt=kt.get(T),It=Tt.currentProgram.id+","+$+","+J,At=Tt.programVariants.get(It);return At===void 0?(At=es(T,z,j),Tt.programVariants.set(It,At)):(Tt.currentProgram=At,Tt.uniformsList=null,Tt.outputColorSpace=$,Tt.toneMapping=J),At}function Hs(T){if(T.uniformsList===null){let z=T.currentProgram.getUniforms();T.uniformsList=Xo.seqWithValue(z.seq,T.uniforms)}return T.uniformsList}function fa(T,z){let j=kt.get(T);j.outputColorSpace=z.outputColorSpace,j.batching=z.batching,j.batchingColor=z.batchingColor,j.instancing=z.instancing,j.instancingColor=z.instancingColor,j.instancingMorph=z.instancingMorph,j.skinning=z.skinning,j.morphTargets=z.morphTargets,j.morphNormals=z.morphNormals,j.morphColors=z.morphColors,j.morphTargetsCount=z.morphTargetsCount,j.numClippingPlanes=z.numClippingPlanes,j.numIntersection=z.numClipIntersection,j.vertexAlphas=z.vertexAlphas,j.vertexTangents=z.vertexTangents,j.toneMapping=z.toneMapping}function da(T,z,j,$,J){z.isScene!==!0&&(z=yn),Xt.resetTextureUnits();let Tt=z.fog,It=$.isMeshStandardMaterial||$.isMeshLambertMaterial||$.isMeshPhongMaterial?z.environment:null,At=lt===null?U.outputColorSpace:lt.isXRRenderTarget===!0?lt.texture.colorSpace:_e.workingColorSpace,Lt=$.isMeshStandardMaterial||$.isMeshLambertMaterial&&!$.envMap||$.isMeshPhongMaterial&&!$.envMap,zt=R.get($.envMap||It,Lt),Qt=$.vertexColors===!0&&!!j.attributes.color&&j.attributes.color.itemSize===4,de=!!j.attributes.tangent&&(!!$.normalMap||$.anisotropy>0),Bt=!!j.morphAttributes.position,pe=!!j.morphAttributes.normal,Je=!!j.morphAttributes.color,Pe=fs;$.toneMapped&&(lt===null||lt.isXRRenderTarget===!0)&&(Pe=U.toneMapping);let Ie=j.morphAttributes.position||j.morphAttributes.normal||j.morphAttributes.color,bn=Ie!==void 0?Ie.length:0,Ut=kt.get($),un=E.state.lights;if(ke===!0&&(cn===!0||T!==Q)){let Le=T===Q&&$.id===Y;st.setState($,T,Le)}let xe=!1,ys=!1;$.version===Ut.__version?Ut.needsLights&&Ut.lightsStateVersion!==un.state.version||J.isBatchedMesh&&Ut.batching===!1||!J.isBatchedMesh&&Ut.batching===!0||J.isBatchedMesh&&Ut.batchingColor===!0&&J._colorsTexture===null||J.isBatchedMesh&&Ut.batchingColor===!1&&J._colorsTexture!==null||J.isInstancedMesh&&Ut.instancing===!1||!J.isInstancedMesh&&Ut.instancing===!0||J.isSkinnedMesh&&Ut.skinning===!1||!J.isSkinnedMesh&&Ut.skinning===!0||J.isInstancedMesh&&Ut.instancingColor===!0&&J.instanceColor===null||J.isInstancedMesh&&Ut.instancingColor===!1&&J.instanceColor!==null||J.isInstancedMesh&&Ut.instancingMorph===!0&&J.morphTexture===null||J.isInstancedMesh&&Ut.instancingMorph===!1&&J.morphTexture!==null||Ut.envMap!==zt||$.fog===!0&&Ut.fog!==Tt||Ut.numClippingPlanes!==void 0&&(Ut.numClippingPlanes!==st.numPlanes||Ut.numIntersection!==st.numIntersection)||Ut.vertexAlphas!==Qt||Ut.vertexTangents!==de||Ut.morphTargets!==Bt||Ut.morphNormals!==pe||Ut.morphColors!==Je||Ut.morphTargetsCount!==bn||Ut.numLightProbeGrids!==rn(E.state.lightProbeGridArray)?xe=!0:(Ut.outputColorSpace!==At||Ut.toneMapping!==Pe)&&(ys=!0):(xe=!0,Ut.__version=$.version);let fn=Ut.currentProgram;(xe===!0||ys===!0)&&(fn=ys===!0?pi($,z,J,At,Pe):es($,z,J),k&&$.isNodeMaterial&&k.onUpdateProgram($,fn,Ut));let Xr=!1,ns=!1,bs=!1,he=fn.getUniforms(),Qe=Ut.uniforms;if(St.useProgram(fn.program)&&(Xr=!0,ns=!0,bs=!0),$.id!==Y&&(Y=$.id,ns=!0),Xr||Q!==T){St.buffers.depth.getReversed()&&T.reversedDepth!==!0&&(T._reversedDepth=!0,T.updateProjectionMatrix()),he.setValue(O,"projectionMatrix",T.projectionMatrix),he.setValue(O,"viewMatrix",T.matrixWorldInverse);let dn=he.map.cameraPosition;dn!==void 0&&dn.setValue(O,En.setFromMatrixPosition(T.matrixWorld)),re.logarithmicDepthBuffer&&he.setValue(O,"logDepthBufFC",2/(Math.log(T.far+1)/Math.LN2)),($.isMeshPhongMaterial||$.isMeshToonMaterial||$.isMeshLambertMaterial||$.isMeshBasicMaterial||$.isMeshStandardMaterial||$.isShaderMaterial)&&he.setValue(O,"isOrthographic",T.isOrthographicCamera===!0),Q!==T&&(Q=T,ns=!0,bs=!0)}if(Ut.needsLights&&(un.state.sunShadowMap.length>0&&he.setValue(O,"sunShadowMap",un.state.sunShadowMap,Xt),un.state.directionalShadowMap.length>0&&he.setValue(O,"directionalShadowMap",un.state.directionalShadowMap,Xt),un.state.spotShadowMap.length>0&&he.setValue(O,"spotShadowMap",un.state.spotShadowMap,Xt),un.state.pointShadowMap.length>0&&he.setValue(O,"pointShadowMap",un.state.pointShadowMap,Xt)),J.isSkinnedMesh){he.setOptional(O,J,"bindMatrix"),he.setOptional(O,J,"bindMatrixInverse");let Le=J.skeleton;Le&&(Le.boneTexture===null&&Le.computeBoneTexture(),he.setValue(O,"boneTexture",Le.boneTexture,Xt))}J.isBatchedMesh&&(he.setOptional(O,J,"batchingTexture"),he.setValue(O,"batchingTexture",J._matricesTexture,Xt),he.setOptional(O,J,"batchingIdTexture"),he.setValue(O,"batchingIdTexture",J._indirectTexture,Xt),he.setOptional(O,J,"batchingColorTexture"),J._colorsTexture!==null&&he.setValue(O,"batchingColorTexture",J._colorsTexture,Xt));let jn=j.morphAttributes;if((jn.position!==void 0||jn.normal!==void 0||jn.color!==void 0)&&rt.update(J,j,fn),(ns||Ut.receiveShadow!==J.receiveShadow)&&(Ut.receiveShadow=J.receiveShadow,he.setValue(O,"receiveShadow",J.receiveShadow)),($.isMeshStandardMaterial||$.isMeshLambertMaterial||$.isMeshPhongMaterial)&&$.envMap===null&&z.environment!==null&&(Qe.envMapIntensity.value=z.environmentIntensity),Qe.dfgLUT!==void 0&&(Qe.dfgLUT.value=hA()),ns){if(he.setValue(O,"toneMappingExposure",U.toneMappingExposure),Ut.needsLights&&Hr(Qe,bs),Tt&&$.fog===!0&&xt.refreshFogUniforms(Qe,Tt),xt.refreshMaterialUniforms(Qe,$,Mt,Et,E.state.transmissionRenderTarget[T.id]),Ut.needsLights&&Ut.numLightProbeGrids>0){let Le=y,dn=0;for(let Xn of E.state.lightProbeGridArray)Xn.texture!==null&&(Le.textures[dn]=Xn.texture,Le.min[dn]=Xn.boundingBox.min,Le.max[dn]=Xn.boundingBox.max,Le.resolution[dn]=Xn.resolution,dn++);for(let Xn in Le)Le[Xn].length=dn;Qe.probesSH.value=Le.textures,Qe.probesMin.value=Le.min,Qe.probesMax.value=Le.max,Qe.probesResolution.value=Le.resolution}Xo.upload(O,Hs(Ut),Qe,Xt)}if($.isShaderMaterial&&$.uniformsNeedUpdate===!0&&(Xo.upload(O,Hs(Ut),Qe,Xt),$.uniformsNeedUpdate=!1),$.isSpriteMaterial&&he.setValue(O,"center",J.center),he.setValue(O,"modelViewMatrix",J.modelViewMatrix),he.setValue(O,"normalMatrix",J.normalMatrix),he.setValue(O,"modelMatrix",J.matrixWorld),$.uniformsGroups!==void 0){let Le=$.uniformsGroups;for(let dn=0,Xn=Le.length;dn<Xn;dn++){let zl=Le[dn];Vt.update(zl,fn),Vt.bind(zl,fn)}}return fn}function Hr(T,z){T.ambientLightColor.needsUpdate=z,T.lightProbe.needsUpdate=z,T.sunLights.needsUpdate=z,T.sunLightShadows.needsUpdate=z,T.directionalLights.needsUpdate=z,T.directionalLightShadows.needsUpdate=z,T.pointLights.needsUpdate=z,T.pointLightShadows.needsUpdate=z,T.spotLights.needsUpdate=z,T.spotLightShadows.needsUpdate=z,T.rectAreaLights.needsUpdate=z,T.hemisphereLights.needsUpdate=z}function Ws(T){return T.isMeshLambertMaterial||T.isMeshToonMaterial||T.isMeshPhongMaterial||T.isMeshStandardMaterial||T.isShadowMaterial||T.isShaderMaterial&&T.lights===!0}this.getActiveCubeFace=function(){return Z},this.getActiveMipmapLevel=function(){return V},this.getRenderTarget=function(){return lt},this.setRenderTargetTextures=function(T,z,j){let $=kt.get(T);$.__autoAllocateDepthBuffer=T.resolveDepthBuffer===!1,$.__autoAllocateDepthBuffer===!1&&($.__useRenderToTexture=!1),kt.get(T.texture).__webglTexture=z,kt.get(T.depthTexture).__webglTexture=$.__autoAllocateDepthBuffer?void 0:j,$.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(T,z){let j=kt.get(T);j.__webglFramebuffer=z,j.__useDefaultFramebuffer=z===void 0},this.setRenderTarget=function(T,z=0,j=0){lt=T,Z=z,V=j;let $=null,J=!1,Tt=!1;if(T){let At=kt.get(T);if(At.__useDefaultFramebuffer!==void 0){St.bindFramebuffer(O.FRAMEBUFFER,At.__webglFramebuffer),it.copy(T.viewport),ft.copy(T.scissor),ut=T.scissorTest,St.viewport(it),St.scissor(ft),St.setScissorTest(ut),Y=-1;return}else if(At.__webglFramebuffer===void 0)Xt.setupRenderTarget(T);else if(At.__hasExternalTextures)Xt.rebindTextures(T,kt.get(T.texture).__webglTexture,kt.get(T.depthTexture).__webglTexture);else if(T.depthBuffer){let Qt=T.depthTexture;if(At.__boundDepthTexture!==Qt){if(Qt!==null&&kt.has(Qt)&&(T.width!==Qt.image.width||T.height!==Qt.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");Xt.setupDepthRenderbuffer(T)}}let Lt=T.texture;(Lt.isData3DTexture||Lt.isDataArrayTexture||Lt.isCompressedArrayTexture)&&(Tt=!0);let zt=kt.get(T).__webglFramebuffer;T.isWebGLCubeRenderTarget?(Array.isArray(zt[z])?$=zt[z][j]:$=zt[z],J=!0):T.samples>0&&Xt.useMultisampledRTT(T)===!1?$=kt.get(T).__webglMultisampledFramebuffer:Array.isArray(zt)?$=zt[j]:$=zt,it.copy(T.viewport),ft.copy(T.scissor),ut=T.scissorTest}else it.copy(Gt).multiplyScalar(Mt).floor(),ft.copy(fe).multiplyScalar(Mt).floor(),ut=ce;if(j!==0&&($=W),St.bindFramebuffer(O.FRAMEBUFFER,$)&&St.drawBuffers(T,$),St.viewport(it),St.scissor(ft),St.setScissorTest(ut),J){let At=kt.get(T.texture);O.framebufferTexture2D(O.FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_CUBE_MAP_POSITIVE_X+z,At.__webglTexture,j)}else if(Tt){let At=z;for(let Lt=0;Lt<T.textures.length;Lt++){let zt=kt.get(T.textures[Lt]);O.framebufferTextureLayer(O.FRAMEBUFFER,O.COLOR_ATTACHMENT0+Lt,zt.__webglTexture,j,At)}}else if(T!==null&&j!==0){let At=kt.get(T.texture);O.framebufferTexture2D(O.FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_2D,At.__webglTexture,j)}Y=-1};function Wr(T){let z=kt.get(T);return(z.__readFormat!==T.format||z.__readType!==T.type)&&(z.__readFormat=T.format,z.__readType=T.type,z.__formatReadable=re.textureFormatReadable(T.format),z.__typeReadable=re.textureTypeReadable(T.type)),z}this.readRenderTargetPixels=function(T,z,j,$,J,Tt,It,At=0){if(!(T&&T.isWebGLRenderTarget)){jt("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let Lt=kt.get(T).__webglFramebuffer;if(T.isWebGLCubeRenderTarget&&It!==void 0&&(Lt=Lt[It],Array.isArray(Lt)&&(Lt=Lt[0])),Lt){St.bindFramebuffer(O.FRAMEBUFFER,Lt);try{let zt=T.textures[At],Qt=zt.format,de=zt.type;T.textures.length>1&&O.readBuffer(O.COLOR_ATTACHMENT0+At);let Bt=Wr(zt);if(Bt.__formatReadable===!1){jt("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(Bt.__typeReadable===!1){jt("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}z>=0&&z<=T.width-$&&j>=0&&j<=T.height-J&&O.readPixels(z,j,$,J,gt.convert(Qt),gt.convert(de),Tt)}finally{let zt=lt!==null?kt.get(lt).__webglFramebuffer:null;St.bindFramebuffer(O.FRAMEBUFFER,zt)}}},this.readRenderTargetPixelsAsync=async function(T,z,j,$,J,Tt,It,At=0){if(!(T&&T.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let Lt=kt.get(T).__webglFramebuffer;if(T.isWebGLCubeRenderTarget&&It!==void 0&&(Lt=Lt[It],Array.isArray(Lt)&&(Lt=Lt[0])),Lt)if(z>=0&&z<=T.width-$&&j>=0&&j<=T.height-J){St.bindFramebuffer(O.FRAMEBUFFER,Lt);let zt=T.textures[At],Qt=zt.format,de=zt.type;T.textures.length>1&&O.readBuffer(O.COLOR_ATTACHMENT0+At);let Bt=Wr(zt);if(Bt.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(Bt.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let pe=O.createBuffer();O.bindBuffer(O.PIXEL_PACK_BUFFER,pe),O.bufferData(O.PIXEL_PACK_BUFFER,Tt.byteLength,O.STREAM_READ),O.readPixels(z,j,$,J,gt.convert(Qt),gt.convert(de),0),O.bindBuffer(O.PIXEL_PACK_BUFFER,null);let Je=lt!==null?kt.get(lt).__webglFramebuffer:null;St.bindFramebuffer(O.FRAMEBUFFER,Je);let Pe=O.fenceSync(O.SYNC_GPU_COMMANDS_COMPLETE,0);return O.flush(),await y0(O,Pe,4),O.bindBuffer(O.PIXEL_PACK_BUFFER,pe),O.getBufferSubData(O.PIXEL_PACK_BUFFER,0,Tt),O.bindBuffer(O.PIXEL_PACK_BUFFER,null),O.deleteBuffer(pe),O.deleteSync(Pe),Tt}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(T,z=null,j=0){let $=Math.pow(2,-j),J=Math.floor(T.image.width*$),Tt=Math.floor(T.image.height*$),It=z!==null?z.x:0,At=z!==null?z.y:0;Xt.setTexture2D(T,0),O.copyTexSubImage2D(O.TEXTURE_2D,j,0,0,It,At,J,Tt),St.unbindTexture()},this.copyTextureToTexture=function(T,z,j=null,$=null,J=0,Tt=0){let It,At,Lt,zt,Qt,de,Bt,pe,Je,Pe=T.isCompressedTexture?T.mipmaps[Tt]:T.image;if(j!==null)It=j.max.x-j.min.x,At=j.max.y-j.min.y,Lt=j.isBox3?j.max.z-j.min.z:1,zt=j.min.x,Qt=j.min.y,de=j.isBox3?j.min.z:0;else{let he=Math.pow(2,-J);It=Math.floor(Pe.width*he),At=Math.floor(Pe.height*he),T.isDataArrayTexture?Lt=Pe.depth:T.isData3DTexture?Lt=Math.floor(Pe.depth*he):Lt=1,zt=0,Qt=0,de=0}$!==null?(Bt=$.x,pe=$.y,Je=$.z):(Bt=0,pe=0,Je=0);let Ie=gt.convert(z.format),bn=gt.convert(z.type),Ut;z.isData3DTexture?(Xt.setTexture3D(z,0),Ut=O.TEXTURE_3D):z.isDataArrayTexture||z.isCompressedArrayTexture?(Xt.setTexture2DArray(z,0),Ut=O.TEXTURE_2D_ARRAY):(Xt.setTexture2D(z,0),Ut=O.TEXTURE_2D),St.activeTexture(O.TEXTURE0),St.pixelStorei(O.UNPACK_FLIP_Y_WEBGL,z.flipY),St.pixelStorei(O.UNPACK_PREMULTIPLY_ALPHA_WEBGL,z.premultiplyAlpha),St.pixelStorei(O.UNPACK_ALIGNMENT,z.unpackAlignment);let un=St.getParameter(O.UNPACK_ROW_LENGTH),xe=St.getParameter(O.UNPACK_IMAGE_HEIGHT),ys=St.getParameter(O.UNPACK_SKIP_PIXELS),fn=St.getParameter(O.UNPACK_SKIP_ROWS),Xr=St.getParameter(O.UNPACK_SKIP_IMAGES);St.pixelStorei(O.UNPACK_ROW_LENGTH,Pe.width),St.pixelStorei(O.UNPACK_IMAGE_HEIGHT,Pe.height),St.pixelStorei(O.UNPACK_SKIP_PIXELS,zt),St.pixelStorei(O.UNPACK_SKIP_ROWS,Qt),St.pixelStorei(O.UNPACK_SKIP_IMAGES,de);let ns=T.isDataArrayTexture||T.isData3DTexture,bs=z.isDataArrayTexture||z.isData3DTexture;if(T.isDepthTexture){let he=kt.get(T),Qe=kt.get(z),jn=kt.get(he.__renderTarget),Le=kt.get(Qe.__renderTarget);St.bindFramebuffer(O.READ_FRAMEBUFFER,jn.__webglFramebuffer),St.bindFramebuffer(O.DRAW_FRAMEBUFFER,Le.__webglFramebuffer);for(let dn=0;dn<Lt;dn++)ns&&(O.framebufferTextureLayer(O.READ_FRAMEBUFFER,O.COLOR_ATTACHMENT0,kt.get(T).__webglTexture,J,de+dn),O.framebufferTextureLayer(O.DRAW_FRAMEBUFFER,O.COLOR_ATTACHMENT0,kt.get(z).__webglTexture,Tt,Je+dn)),O.blitFramebuffer(zt,Qt,zt+It,Qt+At,Bt,pe,Bt+It,pe+At,O.DEPTH_BUFFER_BIT,O.NEAREST);St.bindFramebuffer(O.READ_FRAMEBUFFER,null),St.bindFramebuffer(O.DRAW_FRAMEBUFFER,null)}else if(J!==0||T.isRenderTargetTexture||kt.has(T)){let he=kt.get(T),Qe=kt.get(z);St.bindFramebuffer(O.READ_FRAMEBUFFER,L),St.bindFramebuffer(O.DRAW_FRAMEBUFFER,X);for(let jn=0;jn<Lt;jn++)ns?O.framebufferTextureLayer(O.READ_FRAMEBUFFER,O.COLOR_ATTACHMENT0,he.__webglTexture,J,de+jn):O.framebufferTexture2D(O.READ_FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_2D,he.__webglTexture,J),bs?O.framebufferTextureLayer(O.DRAW_FRAMEBUFFER,O.COLOR_ATTACHMENT0,Qe.__webglTexture,Tt,Je+jn):O.framebufferTexture2D(O.DRAW_FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_2D,Qe.__webglTexture,Tt),J!==0?O.blitFramebuffer(zt,Qt,zt+It,Qt+At,Bt,pe,Bt+It,pe+At,O.COLOR_BUFFER_BIT,O.NEAREST):bs?O.copyTexSubImage3D(Ut,Tt,Bt,pe,Je+jn,zt,Qt,It,At):O.copyTexSubImage2D(Ut,Tt,Bt,pe,zt,Qt,It,At);St.bindFramebuffer(O.READ_FRAMEBUFFER,null),St.bindFramebuffer(O.DRAW_FRAMEBUFFER,null)}else bs?T.isDataTexture||T.isData3DTexture?O.texSubImage3D(Ut,Tt,Bt,pe,Je,It,At,Lt,Ie,bn,Pe.data):z.isCompressedArrayTexture?O.compressedTexSubImage3D(Ut,Tt,Bt,pe,Je,It,At,Lt,Ie,Pe.data):O.texSubImage3D(Ut,Tt,Bt,pe,Je,It,At,Lt,Ie,bn,Pe):T.isDataTexture?O.texSubImage2D(O.TEXTURE_2D,Tt,Bt,pe,It,At,Ie,bn,Pe.data):T.isCompressedTexture?O.compressedTexSubImage2D(O.TEXTURE_2D,Tt,Bt,pe,Pe.width,Pe.height,Ie,Pe.data):O.texSubImage2D(O.TEXTURE_2D,Tt,Bt,pe,It,At,Ie,bn,Pe);St.pixelStorei(O.UNPACK_ROW_LENGTH,un),St.pixelStorei(O.UNPACK_IMAGE_HEIGHT,xe),St.pixelStorei(O.UNPACK_SKIP_PIXELS,ys),St.pixelStorei(O.UNPACK_SKIP_ROWS,fn),St.pixelStorei(O.UNPACK_SKIP_IMAGES,Xr),Tt===0&&z.generateMipmaps===!0&&z.mipmapsAutoUpdate===!0&&O.generateMipmap(Ut),St.unbindTexture()},this.initRenderTarget=function(T){kt.get(T).__webglFramebuffer===void 0&&Xt.setupRenderTarget(T)},this.initTexture=function(T){T.isCubeTexture?Xt.setTextureCube(T,0):T.isData3DTexture?Xt.setTexture3D(T,0):T.isDataArrayTexture||T.isCompressedArrayTexture?Xt.setTexture2DArray(T,0):Xt.setTexture2D(T,0),St.unbindTexture()},this.resetState=function(){Z=0,V=0,lt=null,St.reset(),bt.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return Ii}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(t){this._outputColorSpace=t;let e=this.getContext();e.drawingBufferColorSpace=_e._getDrawingBufferColorSpace(t),e.unpackColorSpace=_e._getUnpackColorSpace()}};var Qd=7;function uA(){let i=[],t=(e,n)=>i.push(Math.cos(2*Math.PI*e/Qd),Math.sin(2*Math.PI*e/Qd),n);for(let e=0;e<Qd;e++)t(e,0),t(e+1,0),t(e+1,1),t(e,0),t(e+1,1),t(e,1),t(e,2),t(e+1,2),t(e+.5,3);return new Float32Array(i)}var pu=class{constructor(t,e,n){this.values=new Float32Array(6*Math.max(1,t)),this.buffer=new hs(this.values,6,1),this.buffer.setUsage(hr);let s=new Rr;s.setAttribute("position",new Mn(uA(),3)),s.setAttribute("from",new Zn(this.buffer,3,0)),s.setAttribute("to",new Zn(this.buffer,3,3)),s.instanceCount=0,this.thick={value:1};let r=new _n({side:kn,uniforms:{...e,thick:this.thick,colour:n},vertexShader:`
attribute vec3 from;
attribute vec3 to;
uniform float thick;
varying vec3 vNormal;
void main() {
  vec3 along = to - from;
  float size = max(length(along), 1e-20);
  vec3 z = along / size;
  vec3 x = normalize(abs(z.x) < 0.7 ? cross(z, vec3(1.0, 0.0, 0.0)) : cross(z, vec3(0.0, 1.0, 0.0)));
  vec3 y = cross(z, x);
  float width = min(thick, 0.11 * size);
  float head = min(6.0 * width, 0.45 * size);
  float radius = position.z < 1.5 ? width : position.z < 2.5 ? 2.6 * width : 0.0;
  float place = position.z < 0.5 ? 0.0 : position.z < 2.5 ? size - head : size;
  vec3 out3 = position.x * x + position.y * y;
  vNormal = position.z < 1.5 ? out3 : normalize(out3 + 0.4 * z);
  gl_Position = projectionMatrix * (viewMatrix * vec4(from + place * z + radius * out3, 1.0));
}`,fragmentShader:`
uniform vec3 sun;
uniform vec3 colour;
varying vec3 vNormal;
void main() {
  gl_FragColor = vec4(colour * (0.72 + 0.3 * max(0.0, dot(normalize(vNormal), sun))), 1.0);
}`});this.mesh=new xn(s,r),this.mesh.frustumCulled=!1}show(t,e){this.mesh.geometry.instanceCount=t,this.mesh.visible=t>0,this.thick.value=e,t!==0&&(this.buffer.clearUpdateRanges(),this.buffer.addUpdateRange(0,6*t),this.buffer.needsUpdate=!0)}dispose(){this.mesh.geometry.dispose(),this.mesh.material.dispose()}};function sx(){return{sun:{value:new G(0,0,1)},up:{value:new G(0,0,1)},top:{value:new G(0,1,0)},eye:{value:new Me(0,0,1,1)},paper:{value:new G(1,1,1)},shade:{value:.52},pale:{value:0}}}var fA=`
#ifdef EDGES
attribute vec3 edge;
varying vec3 vEdge;
#endif
varying vec3 vNormal;
varying vec3 vWorld;
varying vec3 vColour;
#ifdef TONES
varying vec3 vLocal;
#endif
void main() {
  mat3 m = mat3(instanceMatrix);
  vec3 squares = vec3(dot(m[0], m[0]), dot(m[1], m[1]), dot(m[2], m[2]));
  vNormal = m * (normal / squares); // rotation times scale: normals by its inverse transposed
  vec4 world = instanceMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  vColour = instanceColor;
#ifdef EDGES
  vEdge = edge;
#endif
#ifdef TONES
  vLocal = position;
#endif
  gl_Position = projectionMatrix * (viewMatrix * world);
}`,rx=`
uniform vec3 paper;
uniform float shade;
uniform float fade;
uniform float opacity;
vec4 lit(vec3 colour, float sunlight, float upwards, float facing) {
  float light = shade + 0.44 * max(0.0, sunlight) + 0.1 * facing + 0.06 * upwards;
  return vec4(mix(colour * light, paper, fade), opacity);
}
float rim(float facing) { return 0.6 + 0.4 * smoothstep(0.0, 0.42, facing); } // round bodies are darker at their borders
`,dA=`${rx}
uniform vec3 sun;
uniform vec3 up;
uniform vec4 eye;
varying vec3 vNormal;
varying vec3 vWorld;
varying vec3 vColour;
#ifdef EDGES
varying vec3 vEdge;
#endif
#ifdef TONES
varying vec3 vLocal;
#endif
void main() {
  vec3 toEye = normalize(eye.w > 0.5 ? eye.xyz - vWorld : eye.xyz);
  vec3 n = normalize(vNormal);
  float facing = dot(n, toEye);
  if (facing < 0.0) { n = -n; facing = -facing; }
  vec3 colour = vColour;
#ifdef TONES
  if (vLocal.x * vLocal.y > 0.0) colour *= 0.84; // one sees balls and cylinders turn
#endif
#ifdef ROUND
  colour *= rim(facing);
#endif
#ifdef EDGES
  vec3 across = fwidth(vEdge);
  vec3 away = vEdge / max(across, vec3(1e-6)) + step(0.999, vEdge) * 9.0;
  float line = 1.0 - smoothstep(0.5, 1.3, min(away.x, min(away.y, away.z)));
  colour *= 1.0 - 0.55 * line * clamp(1.6 - 4.0 * max(across.x, max(across.y, across.z)), 0.0, 1.0);
#endif
  gl_FragColor = lit(colour, dot(n, sun), dot(n, up), facing);
}`,pA=`
uniform vec4 eye;
uniform vec3 top;
uniform vec3 sun;
uniform vec3 up;
varying vec2 vPlace;
varying vec3 vColour;
varying vec3 vSun;
varying vec3 vUp;
varying vec3 vFirst;
varying vec3 vSecond;
void main() {
  vec3 centre = instanceMatrix[3].xyz;
  vec3 first = instanceMatrix[0].xyz;
  float radius = length(first);
  vec3 z = normalize(eye.w > 0.5 ? eye.xyz - centre : eye.xyz);
  vec3 x = normalize(cross(top, z));
  vec3 y = cross(z, x);
  mat3 seen = transpose(mat3(x, y, z));
  vPlace = position.xy;
  vColour = instanceColor;
  vSun = seen * sun;
  vUp = seen * up;
  vFirst = seen * first;
  vSecond = seen * instanceMatrix[1].xyz;
  vec3 world = centre + radius * (position.x * x + position.y * y);
  gl_Position = projectionMatrix * (viewMatrix * vec4(world, 1.0));
}`,mA=`${rx}
varying vec2 vPlace;
varying vec3 vColour;
varying vec3 vSun;
varying vec3 vUp;
varying vec3 vFirst;
varying vec3 vSecond;
void main() {
  float off = dot(vPlace, vPlace);
  if (off > 1.0) discard;
  vec3 n = vec3(vPlace, sqrt(1.0 - off));
  vec3 colour = vColour;
  if (dot(n, vFirst) * dot(n, vSecond) > 0.0) colour *= 0.84;
  gl_FragColor = lit(colour * rim(n.z), dot(n, vSun), dot(n, vUp), n.z);
}`;function ox(i,t,e){let n={};i.round&&(n.ROUND=1),i.tones&&(n.TONES=1),i.edges&&(n.EDGES=1);let s=new _n({defines:n,vertexShader:i.disc?pA:fA,fragmentShader:i.disc?mA:dA,side:i.open?kn:us,uniforms:{...e,fade:t==="moving"?e.pale:{value:0},opacity:{value:t==="veil"?.3:1}}});return t==="depth"&&(s.colorWrite=!1),t==="veil"&&Object.assign(s,{blending:cl,blendEquation:Us,blendSrc:ul,blendDst:fl,depthFunc:Io,depthWrite:!1}),s}function ax(i,t){return new _n({uniforms:{...i,...t},vertexShader:`
uniform vec3 sun;
uniform vec4 ground; // normal and offset
varying float vAbove;
varying vec3 vWorld;
void main() {
  vec4 world = instanceMatrix * vec4(position, 1.0);
  float above = dot(ground.xyz, world.xyz) - ground.w;
  vAbove = above;
  world.xyz -= sun * (above / max(0.05, dot(ground.xyz, sun)));
  vWorld = world.xyz;
  gl_Position = projectionMatrix * (viewMatrix * world);
  gl_Position.z -= 2e-4 * gl_Position.w; // in front of the plane
}`,fragmentShader:`
uniform vec3 darkened;
uniform vec3 middle;
uniform vec2 reach;
varying float vAbove;
varying vec3 vWorld;
void main() {
  if (vAbove < -1e-3 * reach.x) discard;
  float far = smoothstep(reach.x, reach.y, distance(vWorld, middle));
  gl_FragColor = vec4(mix(darkened, vec3(1.0), far), 1.0);
}`,side:kn,depthWrite:!1,blending:cl,blendEquation:vh,blendSrc:hl,blendDst:hl})}function lx(i){return new _n({uniforms:i,transparent:!0,vertexShader:`
uniform vec2 shift;
varying vec2 vPlace;
varying float vAway;
void main() {
  vPlace = position.xy + shift;
  vAway = length(position.xy);
  gl_Position = projectionMatrix * (modelViewMatrix * vec4(position, 1.0));
}`,fragmentShader:`
uniform vec3 face;
uniform vec3 lines;
uniform vec2 reach;
uniform float grid;
varying vec2 vPlace;
varying float vAway;
void main() {
  vec2 dots = fwidth(vPlace);
  vec2 off = abs(vPlace / grid - floor(vPlace / grid + 0.5)) * grid;
  vec2 near = (1.0 - smoothstep(0.2 * dots, 1.1 * dots, off)) * clamp(1.3 - 3.0 * dots / grid, 0.0, 1.0);
  float kept = 1.0 - smoothstep(reach.x, reach.y, vAway);
  if (kept < 0.01) discard;
  gl_FragColor = vec4(mix(face, lines, max(near.x, near.y)), kept);
}`})}var mu=class{constructor(t){this.bodies=t;let{size:e}=t.room;this.reach={value:new Zt(.6*e,1.3*e)},this.face={value:new G},this.lines={value:new G},this.grid=Qr(e/5),this.geometry=new ja(1.3*e,72),this.list=[];for(let n=0;n<t.partBody.length;n++)t.shapes[t.partShape[n]].endless&&this.add(n);this.ground=this.makeGround()}add(t){let e={value:new Zt},n=lx({face:this.face,lines:this.lines,reach:this.reach,grid:{value:this.grid},shift:e}),s=new xn(this.geometry,n);s.frustumCulled=!1,this.list.push({part:t,mesh:s,shift:e,body:this.bodies.partBody[t],placed:!1})}makeGround(){let t=this.bodies.source.up??[0,0,1],e=null,n=.5;for(let s of this.list){let{normal:r}=this.placeOf(s.part),o=r[0]*t[0]+r[1]*t[1]+r[2]*t[2];o>n+1e-6&&([e,n]=[s,o])}return e?(this.under=e,{ground:{value:new Me},middle:{value:new G},darkened:{value:new G},reach:this.reach}):null}placeOf(t){let e=Ss(this.bodies,t);return{place:e,normal:Dn(e.slice(3),[0,0,1])}}update(){for(let t of this.list)t.placed&&this.bodies.slot[t.body]<0||(t.placed=!0,this.put(t))}put(t){let{place:e,normal:n}=this.placeOf(t.part),{centre:s}=this.bodies.room,r=[0,1,2].map(h=>s[h]-e[h]),o=r[0]*n[0]+r[1]*n[1]+r[2]*n[2],a=s.map((h,u)=>h-o*n[u]),l=e.slice(3),c=[[1,0,0],[0,1,0]].map(h=>Dn(l,h).reduce((u,f,d)=>u+f*r[d],0));t.mesh.position.set(...a),t.mesh.quaternion.set(l[1],l[2],l[3],l[0]),t.shift.value.set(...c),t===this.under&&(this.ground.ground.value.set(...n,a.reduce((h,u,f)=>h+u*n[f],0)),this.ground.middle.value.set(...a))}setTheme(t,e){let n=t.dark?[.02,.11]:[-.025,-.13];this.face.value.set(...e.map(s=>s+n[0])),this.lines.value.set(...e.map(s=>s+n[1])),this.ground?.darkened.value.set(...e.map(s=>t.dark?.45*s:s-.19))}dispose(){this.geometry.dispose();for(let{mesh:t}of this.list)t.material.dispose()}};var Tl=10;function cx(i){let t=i.radius>0&&i.half_length>0?ii(i,"profile"):null;if(!t)return null;let e=[],n=[];for(let[o,a]of t){n.push(e.length/3);for(let l=0;l<(o>0?Tl:1);l++)e.push(o*Math.cos(2*Math.PI*l/Tl),o*Math.sin(2*Math.PI*l/Tl),a)}let s=[],r=(o,a)=>n[o]+(t[o][0]>0?a%Tl:0);for(let o=0;o+1<t.length;o++)for(let a=0;a<Tl;a++)t[o][0]>0&&s.push(r(o,a),r(o,a+1),r(o+1,a)),t[o+1][0]>0&&s.push(r(o,a+1),r(o+1,a+1),r(o+1,a));return{points:e,triangles:s}}var gA=.8,xA=.75,_A=.99,vA=[-1,-1,-1,1,-1,-1,1,1,-1,-1,1,-1,-1,-1,1,1,-1,1,1,1,1,-1,1,1],yA=[0,2,1,0,3,2,4,5,6,4,6,7,0,1,5,0,5,4,2,3,7,2,7,6,1,2,6,1,6,5,0,4,7,0,7,3],tp=2e3;function bA(i){let[t,e]=i<=300?[40,26]:i<=tp?[20,13]:[10,7];return new sr(1,t,e)}function MA(){let i=new Ge;return i.setAttribute("position",new Mn(new Float32Array([-1,-1,0,1,-1,0,1,1,0,-1,1,0]),3)),i.setIndex([0,1,2,0,2,3]),i}var gu=class{constructor(t,e){this.shapes=t,this.count=e,this.made=new Map}of(t,e){let n=this.shapes[t],s=ii(n,"ball"),r=ii(n,"box");if(s){let o=s[0]>0?s:[e,e,e];return this.count<=tp||new Set(o).size>1?{...this.ball(),scale:o}:{...this.keep("disc",MA),scale:o,round:!0,disc:!0,solid:this.ball().geometry}}return r?{...this.keep("box",()=>hx(vA,yA,!0)),scale:r}:this.surface(n,t)}ball(){return{...this.keep("ball",()=>bA(this.count)),round:!0,tones:!0}}surface(t,e){let n=this.count>tp||!t.triangles?cx(t):null,{points:s,triangles:r}=n??t;return!s||!r?null:{...this.keep(e,()=>hx(s,r,!!t.faceted)),scale:[1,1,1],open:!!t.open,tones:!!ii(t,"profile")}}keep(t,e){return this.made.has(t)||this.made.set(t,e()),{geometry:this.made.get(t),key:t}}dispose(){for(let t of this.made.values())t.dispose()}};function hx(i,t,e){let n=SA(i,t),s=TA(i,t,n,e),r=AA(i.length/3,t,n,e),o={position:[],normal:[],edge:[]},a=new Map,l=Array.from(t,(h,u)=>{let[f,d]=[s.subarray(3*u,3*u+3),r.subarray(3*u,3*u+3)],p=`${h} ${f} ${d}`;if(!a.has(p)){a.set(p,a.size);for(let x=0;x<3;x++)o.position.push(i[3*h+x]);o.normal.push(...f),o.edge.push(...d)}return a.get(p)}),c=new Ge;for(let[h,u]of Object.entries(o))c.setAttribute(h,new Mn(new Float32Array(u),3));return c.setIndex(l),c}function SA(i,t){let e=new Float32Array(t.length);for(let n=0;n<t.length;n+=3){let[s,r,o]=[0,1,2].map(a=>i.slice(3*t[n+a],3*t[n+a]+3));e.set(Ln(ni(ln(r,s),ln(o,s))),n)}return e}var ux=(i,t,e)=>i[t]*i[e]+i[t+1]*i[e+1]+i[t+2]*i[e+2];function wA(i,t,e){let n=e-e%3,s=o=>i.slice(3*t[n+o%3],3*t[n+o%3]+3),r=s(e);return Math.acos(Math.max(-1,Math.min(1,ge(Ln(ln(s(e+1),r)),Ln(ln(s(e+2),r))))))}function TA(i,t,e,n){let s=Array.from({length:i.length/3},()=>[]);for(let a=0;a<t.length&&!n;a++)s[t[a]].push(a);let r=Float32Array.from(t,(a,l)=>n?1:wA(i,t,l)),o=new Float32Array(3*t.length);for(let a=0;a<t.length;a++){let l=a-a%3,c=[0,0,0];for(let h of n?[a]:s[t[a]]){let u=h-h%3;ux(e,l,u)>=gA&&(c=nn(c,e.subarray(u,u+3),r[h]))}o.set(Ln(c),3*a)}return o}function AA(i,t,e,n){let s=new Map,r=(l,c)=>Math.min(l,c)*i+Math.max(l,c),o=l=>{let c=l-l%3;return[t[c+(l+1)%3],t[c+(l+2)%3]]};for(let l=0;l<t.length;l++){let c=r(...o(l));s.has(c)||s.set(c,[]),s.get(c).push(l-l%3)}let a=new Float32Array(3*t.length).fill(1);for(let l=0;l<t.length;l++){let c=l-l%3,h=s.get(r(...o(l)));if(!(h.length===2&&ux(e,h[0],h[1])>=(n?_A:xA)))for(let u=0;u<3;u++)c+u!==l&&(a[3*(c+u)+l%3]=0)}return a}var EA={vertexShader:`
uniform float size;
void main() {
  gl_Position = projectionMatrix * (viewMatrix * vec4(position, 1.0));
  gl_PointSize = size;
}`,fragmentShader:`
uniform vec3 ink;
uniform vec3 paper;
uniform float size;
void main() {
  float away = length(gl_PointCoord - 0.5) * size;
  float radius = 0.5 * size - 1.0;
  if (away > radius + 0.5) discard;
  gl_FragColor = vec4(mix(paper, ink, smoothstep(radius - 2.0, radius - 1.0, away)), 1.0);
}`},xu=class{constructor(t,e){Object.assign(this,{bodies:t,camera:e}),this.exists=t.springs.length+t.joints.length>0,this.ends=new Float32Array(6*t.springs.length),this.lines=new Xa(new Ge,new ir({toneMapped:!1})),this.size={value:1},this.paper={value:new G},this.ink={value:new G},this.rings=new Ya(new Ge,new _n({...EA,depthTest:!1,uniforms:{size:this.size,ink:this.ink,paper:this.paper}})),this.meshes=[this.lines,this.rings];for(let n of this.meshes)n.frustumCulled=!1}setTheme(t){let e=mn(t.ink);this.lines.material.color.setRGB(...e,$n),this.ink.value.set(...e),this.paper.value.set(...mn(t.paper))}update(t,e){let{bodies:n,camera:s}=this,r=s.height/s.size[1],{rings:o,axes:a,lines:l}=Kl(n,t),c=jl(n,this.ends),{right:h,top:u}=s.axes();for(let f=0;f<c.length;f+=6)l.push(wf(c.subarray(f,f+3),c.subarray(f+3,f+6),h,u,5*r));for(let{at:f,along:d,long:p}of a){let x=(p?2:1)*Sf*r;l.push([f.map((m,g)=>m-x*d[g]),f.map((m,g)=>m+x*d[g])])}fx(this.lines.geometry,l.flatMap(f=>f.slice(1).flatMap((d,p)=>[...f[p],...d]))),fx(this.rings.geometry,o.flat()),this.size.value=2*(Ql+1)*e}dispose(){for(let t of this.meshes)t.geometry.dispose(),t.material.dispose()}};function fx(i,t){let e=i.attributes.position;(!e||e.array.length<t.length)&&(e=new Mn(new Float32Array(Math.max(6,t.length)),3),e.setUsage(hr),i.deleteAttribute("position"),i.dispose(),i.setAttribute("position",e)),e.array.set(t),e.needsUpdate=!0,i.setDrawRange(0,t.length/3)}var CA=[0,0,0,1,0,0,0],_u=class{constructor(t,e){this.geometry=t.geometry,this.solid=t.solid??t.geometry,this.kind={round:t.round,tones:t.tones,disc:t.disc,open:t.open,edges:t.geometry.hasAttribute("edge")},this.still=e,this.parts=[],this.bodies=[],this.frames=[],this.centred=!0,this.meshes=[]}add(t,e,n,s){this.parts.push(t),this.bodies.push(e),CA.some((o,a)=>Math.abs(n[a]-o)>1e-7)&&(this.centred=!1);let r=new Float64Array(16);RA(r,0,n[3],n[4],n[5],n[6],s),this.frames.push(r[0],r[1],r[2],r[4],r[5],r[6],r[8],r[9],r[10],n[0],n[1],n[2])}finish(t){let e=this.parts.length;this.bodies=Int32Array.from(this.bodies),this.frames=Float32Array.from(this.frames),this.moves=this.bodies.some(n=>t(n)),this.matrices=new Float32Array(16*e),this.colours=new Float32Array(3*e);for(let n=0;n<e;n++)this.matrices[16*n+15]=1;this.matrixAttribute=new er(this.matrices,16),this.colourAttribute=new er(this.colours,3),this.moves&&this.matrixAttribute.setUsage(hr),this.colourAttribute.setUsage(hr)}place(t,e,n){let s=this.still?["still","depth","veil"]:["moving"];for(let r of s)t[r].add(this.mesh(this.geometry,ox(this.kind,r,e)));n&&t.shadow.add(this.mesh(this.solid,ax(e,n)))}mesh(t,e){let n=new Ds(t,e,0);return n.instanceMatrix=this.matrixAttribute,n.instanceColor=this.colourAttribute,n.count=this.parts.length,n.frustumCulled=!1,n.matrixAutoUpdate=!1,n.matrixWorld=new ve,this.meshes.push(n),n}move(t){this.centred?PA(this.matrices,this.frames,this.bodies,t):IA(this.matrices,this.frames,this.bodies,t),this.matrixAttribute.needsUpdate=!0}paint(t){let{bodies:e,colours:n}=this;for(let s=0,r=0;s<e.length;s++,r+=3){let o=3*e[s];n[r]=t[o],n[r+1]=t[o+1],n[r+2]=t[o+2]}this.colourAttribute.needsUpdate=!0}dispose(){for(let t of this.meshes)t.material.dispose(),t.dispose()}};function RA(i,t,e,n,s,r,o){i[t]=o[0]*(1-2*(s*s+r*r)),i[t+1]=o[0]*2*(n*s+e*r),i[t+2]=o[0]*2*(n*r-e*s),i[t+4]=o[1]*2*(n*s-e*r),i[t+5]=o[1]*(1-2*(n*n+r*r)),i[t+6]=o[1]*2*(s*r+e*n),i[t+8]=o[2]*2*(n*r+e*s),i[t+9]=o[2]*2*(s*r-e*n),i[t+10]=o[2]*(1-2*(n*n+s*s))}function PA(i,t,e,n){for(let s=0,r=0,o=0;s<e.length;s++,r+=16,o+=12){let a=7*e[s],l=n[a+3],c=n[a+4],h=n[a+5],u=n[a+6],f=t[o],d=t[o+4],p=t[o+8];i[r]=f*(1-2*(h*h+u*u)),i[r+1]=f*2*(c*h+l*u),i[r+2]=f*2*(c*u-l*h),i[r+4]=d*2*(c*h-l*u),i[r+5]=d*(1-2*(c*c+u*u)),i[r+6]=d*2*(h*u+l*c),i[r+8]=p*2*(c*u+l*h),i[r+9]=p*2*(h*u-l*c),i[r+10]=p*(1-2*(c*c+h*h)),i[r+12]=n[a],i[r+13]=n[a+1],i[r+14]=n[a+2]}}function IA(i,t,e,n){for(let s=0,r=0,o=0;s<e.length;s++,r+=16,o+=12){let a=7*e[s],l=n[a+3],c=n[a+4],h=n[a+5],u=n[a+6],f=1-2*(h*h+u*u),d=2*(c*h-l*u),p=2*(c*u+l*h),x=2*(c*h+l*u),m=1-2*(c*c+u*u),g=2*(h*u-l*c),b=2*(c*u-l*h),S=2*(h*u+l*c),y=1-2*(c*c+h*h);for(let C=0;C<4;C++){let E=t[o+3*C],_=t[o+3*C+1],A=t[o+3*C+2];i[r+4*C]=f*E+d*_+p*A,i[r+4*C+1]=x*E+m*_+g*A,i[r+4*C+2]=b*E+S*_+y*A}i[r+12]+=n[a],i[r+13]+=n[a+1],i[r+14]+=n[a+2]}}var LA=["floor","shadow","still","moving","depth","veil","marks"],DA=100;function yu(){try{let i=document.createElement("canvas").getContext("webgl2");if(!i)return null;let t=i.getExtension("WEBGL_debug_renderer_info"),e=t?i.getParameter(t.UNMASKED_RENDERER_WEBGL):"";return i.getExtension("WEBGL_lose_context")?.loseContext(),{software:/swiftshader|llvmpipe|software|basic render/i.test(String(e))}}catch{return null}}var vu=class{constructor(t,e,n,s,{software:r,say:o,restored:a}){Object.assign(this,{canvas:t,bodies:e,contacts:n,camera:s,software:r,say:o,restored:a});let l=t.getContext("webgl2",{antialias:!r||e.count<=DA,alpha:!1,stencil:!1,preserveDrawingBuffer:!0});this.renderer=new qo({canvas:t,context:l}),this.renderer.outputColorSpace=$n,this.renderer.autoClear=!1,this.shared=sx(),this.scenes=Object.fromEntries(LA.map(c=>[c,new Er]));for(let c of Object.values(this.scenes))c.matrixWorldAutoUpdate=c===this.scenes.floor;this.eyes={near:new zn(s.field*180/Math.PI,1,.1,100),far:new Cr},this.geometries=new gu(e.shapes,e.partBody.length),this.picker=new eo(e),this.floors=new mu(e),this.makeGroups(),this.hardware=new xu(e,s),this.hardware.exists&&this.scenes.marks.add(...this.hardware.meshes),this.force={value:new G},this.arrows=null,this.lost=!1,this.fresh=!0,this.watchContext()}makeGroups(){let{bodies:t}=this,e=new Map,n=.006*t.room.size;for(let s=0;s<t.partBody.length;s++){let r=t.partShape[s];if(t.shapes[r].endless)continue;let o=this.geometries.of(r,n);if(!o)continue;let a=t.partBody[s],l=t.roles[a]!==0,c=`${o.key} ${l}`;e.has(c)||e.set(c,new _u(o,l)),e.get(c).add(s,a,t.partPose.subarray(7*s,7*s+7),o.scale)}this.groups=[...e.values()];for(let s of this.groups)s.finish(r=>t.slot[r]>=0),s.place(this.scenes,this.shared,this.floors.ground);for(let{mesh:s}of this.floors.list)this.scenes.floor.add(s)}watchContext(){this.onLost=t=>{t.preventDefault(),this.lost=!0,this.say("The graphics card took its memory back: the picture returns when it can.")},this.onRestored=()=>{this.lost=!1,this.fresh=!0,this.restored()},this.canvas.addEventListener("webglcontextlost",this.onLost),this.canvas.addEventListener("webglcontextrestored",this.onRestored)}setTheme(t){let e=mn(t.paper);this.shared.paper.value.set(...e),this.shared.shade.value=t.dark?.56:.54,this.force.value.set(...mn(t.paints.force)),this.hardware.setTheme(t),this.renderer.setClearColor(new oe().setRGB(...e,$n),1),this.floors.setTheme(t,e),this.setSun(),this.fresh=!0}setSun(){let{first:t,second:e,up:n}=this.camera;this.shared.sun.value.set(...[0,1,2].map(s=>n[s]+.22*t[s]-.6*e[s])).normalize(),this.shared.up.value.set(...n)}resize(t,e){this.renderer.setPixelRatio(Math.min(window.devicePixelRatio||1,this.software?1:2)),this.renderer.setSize(t,e,!1),this.fresh=!0}draw(t){if(!this.lost){for(let e of this.groups)(this.fresh||t.moved&&e.moves)&&e.move(this.bodies.pose),(this.fresh||t.painted)&&e.paint(t.rgb);this.floors.update(),this.drawArrows(t),this.drawHardware(t.settings.joints),this.shared.pale.value=t.arrows?.45:0,this.fresh=!1,this.render(this.placeEye(),t.settings.shadows)}}drawArrows({arrows:t}){if(t&&!this.arrows&&(this.arrows=new pu(this.contacts.most(),this.shared,this.force),this.scenes.marks.add(this.arrows.mesh)),!this.arrows)return;let e=t?this.contacts.arrows(this.bodies.nearest,t.scale,t.longest,this.arrows.values):0;this.arrows.show(e,t?.thick??1)}drawHardware(t){let e=t&&this.hardware.exists;for(let n of this.hardware.meshes)n.visible=e;e&&this.hardware.update(this.bodies.time,this.renderer.getPixelRatio())}render(t,e){let{renderer:n,scenes:s}=this;n.clear(),n.render(s.floor,t),e&&this.floors.ground&&n.render(s.shadow,t),n.render(s.still,t),n.clearDepth(),n.render(s.moving,t),s.veil.children.length>0&&(n.render(s.depth,t),n.render(s.veil,t)),n.clearDepth(),(this.arrows?.mesh.visible||this.hardware.lines.visible)&&n.render(s.marks,t)}placeEye(){let{camera:t}=this,{top:e,toward:n}=t.axes(),s=3*t.room.size+t.distance,r=t.perspective?this.eyes.near:this.eyes.far;if(t.perspective)r.aspect=t.aspect,r.near=Math.max(t.distance-s,.01*t.distance),r.far=t.distance+s;else{let a=t.height/2;Object.assign(r,{left:-a*t.aspect,right:a*t.aspect,top:a,bottom:-a,near:.1*t.room.size,far:2*s})}let o=t.perspective?t.distance:s;return r.position.set(...t.target.map((a,l)=>a+o*n[l])),r.up.set(...e),this.shared.top.value.set(...e),r.lookAt(...t.target),r.updateProjectionMatrix(),this.shared.eye.value.set(...t.perspective?r.position.toArray():n,t.perspective?1:0),r}pick(t,e){return this.picker.pick(this.camera.ray(t,e))}dispose(){this.canvas.removeEventListener("webglcontextlost",this.onLost),this.canvas.removeEventListener("webglcontextrestored",this.onRestored);for(let t of this.groups)t.dispose();this.geometries.dispose(),this.floors.dispose(),this.arrows?.dispose(),this.hardware.dispose(),this.renderer.dispose(),this.renderer.forceContextLoss()}};var NA=2500,UA=2.2,dx="Drag to turn, with Shift to move, scroll to zoom (after a click). A click on a body shows its figures, a second one follows it.",FA="this browser has no WebGL: planar view";async function px(i,t,e){let n=await Qm(i,e),s=await rg(n);return await n.begin(),new ep(i,n,s,t,e)}var ep=class{constructor(t,e,n,s,r){Object.assign(this,{record:t,bodies:e,residuals:n,host:s,context:r}),this.contacts=new ec(e),this.colours=new Zl(e,this.contacts,n,t.time_unit??"s"),this.camera=e.planar?new rc(e.room):new no(e.room,e.source.up??[0,0,1]),this.settings={colour:"body",forces:!1,forceScale:1,joints:!0,follow:-1,shadows:null},this.selected=-1,this.hovered=-1,this.dirty=!0,this.canvas=I("canvas",{role:"img","aria-label":this.describe(),tabindex:0,style:"width:100%;height:100%;display:block"}),s.append(this.canvas),this.painter=this.choosePainter(),this.overlay=new oo(s,e.planar);let o=Gm({bodies:e,contacts:this.contacts,residuals:n,settings:this.settings,camera:this.camera,changed:()=>{this.dirty=!0},select:a=>{this.selected=a}});this.controls=o.elements,this.follow=o.follow,this.pointer=null,oc(this.canvas,this.camera,{hover:(a,l)=>{this.pointer=[a,l]},click:(a,l)=>this.click(a,l)}),this.onKey=a=>this.key(a),this.canvas.addEventListener("keydown",this.onKey),this.endTheme=r.onTheme(()=>this.setTheme()),this.setTheme(),this.resize()}choosePainter(){let{canvas:t,bodies:e,contacts:n,camera:s,context:r}=this;if(e.planar)return new ac(t,e,n,s);let a=r.webgl===!1||/[?&]webgl=off\b/.test(window.location.search)?null:yu();return a?(r.say(dx),this.settings.shadows=!a.software||e.count<=NA,new vu(t,e,n,s,{software:a.software,say:r.say,restored:()=>this.restore()})):(r.say(FA),new tc(t,e,n,s))}restore(){this.context.say(dx),this.setTheme()}setTheme(){let t=this.context.theme();this.colours.setTheme(t),this.painter.setTheme(t),this.overlay.setTheme(t),this.dirty=!0}resize(){let t=this.host.clientWidth,e=this.host.clientHeight;t<1||e<1||(this.camera.resize(t,e),this.painter.resize(t,e),this.dirty=!0)}update(t,e){let{bodies:n,settings:s}=this;if(n.chunks.failure)throw n.chunks.failure;let r=n.seek(t);this.loadContacts(),this.point();let o=this.colours.update(s.colour);s.follow>=0&&(r||this.dirty)&&this.camera.centre(n.pose.subarray(7*s.follow,7*s.follow+3));let a=this.playing&&!e;if(this.playing=e,!r&&!o&&!this.dirty&&!a&&this.seen===this.camera.version)return;this.seen=this.camera.version,this.dirty=!1;let l=this.arrowScale();this.painter.draw({moved:r,painted:o,rgb:this.colours.rgb,settings:s,arrows:l,playing:e}),this.write(l)}loadContacts(){!(this.settings.forces||this.settings.colour==="force")||this.contacts.ready||this.contacts.asked||this.contacts.load().then(()=>{this.dirty=!0},e=>{this.bodies.chunks.failure=e})}arrowScale(){let{settings:t,contacts:e,bodies:n,camera:s}=this;if(!t.forces||!e.ready||!(e.typical>0))return null;let r=Math.min(UA*(n.room.radius||n.room.size),.15*n.room.size),o=.6*n.room.size;return{scale:t.forceScale*r/e.typical,longest:o,thick:Math.min(.05*r,.004*s.height)}}point(){if(!this.pointer)return;let[t,e]=this.pointer;this.pointer=null;let n=t>=0?this.painter.pick(t,e):-1;n!==this.hovered&&(this.hovered=n,this.canvas.style.cursor=n>=0?"pointer":"grab",this.dirty=!0)}click(t,e){let n=this.painter.pick(t,e);n>=0&&n===this.selected&&this.settings.follow!==n?this.follow(n):n<0&&this.settings.follow>=0&&this.follow(-1),this.selected=n,this.dirty=!0}key(t){t.key==="f"&&this.selected>=0?this.follow(this.settings.follow===this.selected?-1:this.selected):t.key==="Escape"&&(this.selected=-1,this.follow(-1))}write(t){let e=[],n=this.hovered>=0?this.hovered:this.selected;n>=0&&e.push(this.describeBody(n)),this.settings.colour==="residual"&&this.residuals&&e.push(this.describeWorst()),this.overlay.write(e.join(`
`)),this.overlay.scale(this.colours.bar),this.writeRing(),this.camera.axes&&this.overlay.turn(this.camera.axes()),this.overlay.measure(this.camera.perspective?0:this.camera.size[1]/this.camera.height,this.bodies.source.length_unit??"m"),this.writeForceKey(t)}writeRing(){let{selected:t,bodies:e}=this;if(t<0){this.overlay.mark(0,0,0);return}let[n,s,r]=this.camera.project(e.pose.subarray(7*t,7*t+3)),o=Number.isFinite(e.radius[t])?e.radius[t]*r:0;this.overlay.mark(n,s,o>0?Math.max(6,o+3):8)}writeForceKey(t){if(!t){this.overlay.forceKey(0,"");return}let e=t.scale*this.camera.size[1]/this.camera.height,n=Qr(48/e);this.overlay.forceKey(n*e,`${Gi(n)} ${this.bodies.source.force_unit??"N"}`)}describeBody(t){let{bodies:e,record:n}=this,s=e.source.length_unit??"m",r=7*t,o=Array.from(e.pose.subarray(r,r+e.dimension),Gi).join(", "),a=[""," (fixed)"," (driven)"][e.roles[t]]??"",l=e.slot[t]>=0?`
speed ${Gi(e.speed(t))} ${s}/${n.time_unit??"s"}`:"",c=this.contacts.ready&&this.settings.colour==="force"?`
contact forces ${Gi(this.colours.load[t])} ${e.source.force_unit??"N"}`:"",h=this.settings.follow===t?`
followed`:"";return`${e.names[t]}${a}
at (${o}) ${s}${l}${c}${h}`}describeWorst(){let t=this.residuals(this.bodies.nearest),e=r=>r>=0?this.bodies.names[r]:"none",n=t.a>=0||t.b>=0?`
worst contact: ${e(t.a)} – ${e(t.b)}`:"",s=Number.isFinite(t.penetration)?`
penetration ${Gi(t.penetration)} ${this.bodies.source.length_unit??"m"}`:"";return`residual ${Gi(t.residual)}${n}${s}`}describe(){let{bodies:t}=this,e=t.roles.reduce((s,r)=>s+(r!==0?1:0),0),n=t.planar?"Arrow keys move the view":"Arrow keys turn the view, with Shift they move it";return`${t.count-e} moving and ${e} fixed bodies ${t.planar?"in the plane":"in space"}. ${n}; + and - zoom, 0 shows all.`}dispose(){this.endTheme?.(),this.bodies.dispose(),this.painter.dispose(),this.overlay.dispose(),this.canvas.remove()}};var BA={body:2,obstacle:3,force:2,velocity:1.8,set:1.6,trace:1.4,stick:3.2,slip:3.2,guide:1.3,normal:1.5,field:1.6},zA={body:.55,obstacle:.35,set:.22,field:.4,trace:.3},mx={light:Jl(!1),dark:Jl(!0)},bu=i=>i.dark?mx.dark:mx.light,Ji=(i,t)=>(i.colour>0?t.palette[i.colour-1]:t.paints[i.paint])??t.ink,fr=i=>(BA[i.paint]??1.6)*(i.width||1),np=(i,t)=>mn(Ji(i,t)),$o=(i,t)=>Ri(mn(t.paper),np(i,t),zA[i.paint]??.45),Al=(i,t)=>an($o(i,t));function Mu(i,t,e){let[n,s]=Su(i),r=Math.min(1,Math.max(0,(t-n)/(s-n))),o=bu(e);return o[Math.round(r*(o.length-1))]}function Su(i){if(i.high>i.low)return[i.low,i.high];let t=i.low?Math.abs(i.low)/2:1;return[(i.low??0)-t,(i.low??0)+t]}function gx(i,t){let[e,n]=Su(i);return{label:i.label??"",unit:i.value_unit??"",low:e,high:n,log:!1,more:!1,colours:bu(t)}}var Zo=class{constructor(t,e,n,s,r){Object.assign(this,{film:t,number:e,canvas:n,settings:s,camera:r,panel:t.panels[e]}),this.pen=n.getContext("2d"),this.size=[600,400],this.ratio=1}setTheme(t){this.theme=t}resize(t,e){this.ratio=Math.min(window.devicePixelRatio||1,3),this.size=[t,e],this.canvas.width=Math.max(1,Math.round(t*this.ratio)),this.canvas.height=Math.max(1,Math.round(e*this.ratio))}clear(){let{pen:t}=this;t.setTransform(this.ratio,0,0,this.ratio,0,0),t.globalAlpha=1,t.fillStyle=this.theme.paper,t.fillRect(0,0,this.size[0],this.size[1])}dispose(){this.canvas.width=1}};var kA=["force","velocity","normal"];var sp=i=>i.kind==="arrow"&&kA.includes(i.paint);async function _x(i,t){let e=await t(i.t),n=i.panels.map(r=>({...r,low:[...r.low],high:[...r.high],dimension:r.space?3:2})),s=await Promise.all(i.marks.map(r=>GA(r,t)));for(let r of n)VA(r);for(let r of s)r.kind==="arrow"&&HA(n[r.panel],r);for(let r of n)WA(r);return new ip(e,n,s)}async function GA(i,t){let[e,n,s]=await Promise.all([i.values,i.ends,i.triangles].map(t));return{...i,values:e,ends:i.ends?n:null,triangles:s,visible:!0,now:new Float32Array(0),shown:0}}function VA(i){let t=i.low.map((s,r)=>i.high[r]-s),e=i.space&&i.stretched?t.slice(0,2):t,n=Math.max(...e)||1;i.lift=i.space&&i.stretched&&t[2]>0?.35*n/t[2]:1,i.sizes=t.map(s=>i.stretched&&!i.space&&s>0?s:n),i.space&&(i.sizes[2]=n/i.lift)}function Nr(i,t,e,n,s,r){let o=i.dimension,a=0,l=0;for(let h=0;h<o;h++)a=Math.hypot(a,e[n+o+h]),l=Math.hypot(l,e[n+o+h]/i.sizes[h]),r[h]=e[n+h]+e[n+o+h];if(!(a>0)||!Number.isFinite(e[n]+a))return!1;if(!sp(t))return!0;let c=a/(i.longest?.[t.paint]||a);for(let h=0;h<o;h++)r[h]=e[n+h]+s*.16*c*e[n+o+h]/l;return!0}function HA(i,t){let e=[0,0,0];for(let n=0;n+t.size<=t.values.length;n+=t.size)if(Nr(i,t,t.values,n,1,e))for(let s=0;s<i.dimension;s++)i.low[s]=Math.min(i.low[s],e[s]),i.high[s]=Math.max(i.high[s],e[s])}function WA(i){let t=[...i.low,0].slice(0,3),e=[...i.high,0].slice(0,3);t[2]*=i.lift,e[2]*=i.lift,i.room={low:t,high:e,centre:t.map((n,s)=>(n+e[s])/2),size:Math.hypot(...t.map((n,s)=>e[s]-n))||1}}var ip=class{constructor(t,e,n){Object.assign(this,{t,panels:e,marks:n}),this.place=null,this.tip=[0,0,0]}frameAt(t){let e=0,n=this.t.length-1;for(;e<n;){let s=e+n+1>>1;this.t[s]<=t?e=s:n=s-1}return e}seek(t){let e=this.frameAt(t),n=Math.min(e+1,this.t.length-1),s=this.t[n]-this.t[e],r=s>0?Math.min(1,Math.max(0,(t-this.t[e])/s)):0,o=`${e} ${r}`;if(o===this.place)return!1;let a=this.place===null;this.place=o;for(let l of this.marks)(a||!l.still)&&XA(l,e,n,r);return!0}};function xx(i,t){return i.still?[0,i.count??i.values.length/i.size]:i.ends?[t>0?i.ends[t-1]:0,i.ends[t]]:[t*i.count,(t+1)*i.count]}function XA(i,t,e,n){let{size:s,values:r}=i,[o,a]=xx(i,t),l=(a-o)*s;if(i.now.length<l&&(i.now=new Float32Array(2*l)),i.shown=a-o,i.now.set(r.subarray(o*s,a*s)),i.still||n===0)return;let[c,h]=xx(i,e);if(h-c===a-o)for(let u=0,f=o*s,d=c*s;u<l;u++)i.now[u]+=n*(r[d+u]-r[f+u])}var rp=new WeakMap;function vx(i,t,e,n,s){let r=qA(t,e,n),o=YA(r,i.canvas);if(!o)return;let a=new ImageData(o.width,o.height),l=new Uint32Array(a.data.buffer),c=$A(s),[h,u]=Su(t),f=(c.length-1)/(u-h),{triangles:d}=t;for(let p=0;p<d.length;p+=3)ZA(l,o,r,[3*d[p],3*d[p+1],3*d[p+2]],c,h,f);JA(i,t,a,o)}function qA(i,t,e){let n=new Float64Array(3*i.shown);for(let s=0;s<i.shown;s++){let[r,o]=t(i.now,s*i.size);n[3*s]=r*e,n[3*s+1]=o*e,n[3*s+2]=i.now[s*i.size+2]}return n}function YA(i,t){let[e,n,s,r]=[1/0,1/0,-1/0,-1/0];for(let l=0;l<i.length;l+=3)Number.isFinite(i[l]+i[l+1])&&(e=Math.min(e,i[l]),s=Math.max(s,i[l]),n=Math.min(n,i[l+1]),r=Math.max(r,i[l+1]));e=Math.max(0,Math.floor(e)),n=Math.max(0,Math.floor(n));let o=Math.min(t.width,Math.ceil(s))-e,a=Math.min(t.height,Math.ceil(r))-n;return o>0&&a>0?{left:e,top:n,width:o,height:a}:null}function $A(i){let t=new Uint8ClampedArray(bu(i).flatMap(e=>[...e.map(n=>255*n),255]));return new Uint32Array(t.buffer)}function ZA(i,t,e,[n,s,r],o,a,l){let[c,h,u,f,d,p,x,m,g]=[n,s,r].flatMap(B=>[e[B],e[B+1],(e[B+2]-a)*l]),b=(f-c)*(m-h)-(d-h)*(x-c);if(!(Math.abs(b)>1e-9)||!Number.isFinite(u+p+g))return;let S=Math.max(t.top,Math.ceil(Math.min(h,d,m)-.5)),y=Math.min(t.top+t.height-1,Math.floor(Math.max(h,d,m)-.5)),[C,E]=[(d-m)/b,(m-h)/b],_=C*u+E*p-(C+E)*g,A=o.length-1;for(let B=S;B<=y;B++){let U=B+.5,N=(f*(m-U)-(d-U)*x)/b,k=(x*(h-U)-(m-U)*c)/b,W=t.left+.5,L=t.left+t.width-.5;for(let Y=0;Y<3;Y++){let Q=Y===0?N:Y===1?k:1-N-k,it=Y===0?C:Y===1?E:-C-E;it>0?W=Math.max(W,-Q/it):it<0?L=Math.min(L,-Q/it):Q<0&&(L=-1)}let X=Math.ceil(W-.5-1e-6),Z=Math.floor(L-.5+1e-6),V=N*u+k*p+(1-N-k)*g+_*(X+.5)+.5,lt=(B-t.top)*t.width+X-t.left;for(let Y=X;Y<=Z;Y++,lt++,V+=_)i[lt]=o[V<0?0:V>A?A:V|0]}}function JA(i,t,e,n){rp.has(t)||rp.set(t,document.createElement("canvas"));let s=rp.get(t);s.width=n.width,s.height=n.height,s.getContext("2d").putImageData(e,0,0),i.save(),i.resetTransform(),i.drawImage(s,n.left,n.top),i.restore()}var op=9,KA=.9,Jo=class{constructor(t,e,n,s,r){Object.assign(this,{pen:t,panel:e,theme:n,place:s,factor:r}),this.tip=[0,0,0]}begin(t){let{pen:e,theme:n}=this;e.strokeStyle=Ji(t,n),e.fillStyle=Al(t,n),e.lineWidth=fr(t),e.globalAlpha=t.opacity??1,e.setLineDash(t.dashed?[6,4]:[]),e.lineJoin="round",e.lineCap=t.paint==="obstacle"||t.paint==="stick"||t.paint==="slip"?"butt":"round"}finish(t,e){t.filled&&this.pen.fill(e,"evenodd"),this.pen.stroke(e)}paint(t){let e={points:this.points,line:this.line,area:this.area,circle:this.circles,box:this.boxes,spring:this.springs,arrow:this.arrows,text:this.texts,surface:this.surface}[t.kind];!e||t.shown===0||!t.visible||(this.begin(t),e.call(this,t),this.pen.globalAlpha=1,this.pen.setLineDash([]))}each(t,e,n){for(let s=0,r=0;s<t.shown;s++,r+=t.size){let o=!0;for(let a=0;a<e;a++)o=o&&Number.isFinite(t.now[r+a]);o&&n(r)}}points(t){let e=2.6*Math.sqrt(t.width||1);this.pen.fillStyle=Ji(t,this.theme),this.each(t,this.panel.dimension,n=>this.dot(...this.place(t.now,n),e))}dot(t,e,n){this.pen.beginPath(),this.pen.arc(t,e,n,0,2*Math.PI),this.pen.fill()}trace(t){let e=new Path2D,n=!1;for(let s=0,r=0;s<t.shown;s++,r+=t.size){let[o,a]=this.place(t.now,r),l=Number.isFinite(o)&&Number.isFinite(a);l&&n?e.lineTo(o,a):l&&e.moveTo(o,a),n=l}return e}line(t){this.pen.stroke(this.trace(t))}area(t){let e=this.trace(t);e.closePath(),this.finish(t,e)}circles(t){this.each(t,3,e=>{let[n,s,r,o]=t.now.subarray(e,e+4),[a,l]=this.place(t.now,e),[c]=this.place([n+Math.abs(r),s],0),[,h]=this.place([n,s+Math.abs(r)],0),[u,f]=[Math.abs(c-a),Math.abs(h-l)];if(!(u>.5)){this.pen.fillStyle=Ji(t,this.theme),this.dot(a,l,3);return}let d=new Path2D;if(d.ellipse(a,l,u,f,0,0,2*Math.PI),this.finish(t,d),!Number.isFinite(o)||Math.min(u,f)<5)return;let p=new Path2D;p.moveTo(a,l),p.lineTo(a+u*Math.cos(o),l-f*Math.sin(o)),this.pen.stroke(p)})}boxes(t){this.each(t,5,e=>{let n=new Path2D;for(let[s,r]of ap(t.now,e))n.lineTo(...this.place([s,r],0));n.closePath(),this.finish(t,n)})}springs(t){let e=this.panel.dimension;this.each(t,2*e,n=>{let s=new Path2D;for(let[r,o]of jA(this.place(t.now,n),this.place(t.now,n+e)))s.lineTo(r,o);this.pen.stroke(s)})}arrows(t){let e=this.panel.dimension;this.each(t,2*e,n=>{Nr(this.panel,t,t.now,n,this.factor,this.tip)&&this.arrow(t,this.place(t.now,n),this.place(this.tip,0))})}arrow(t,[e,n],[s,r]){let{pen:o}=this,a=Math.hypot(s-e,r-n);if(!(a>.5))return;let l=Math.min(10*Math.sqrt(t.width||1),.6*a),[c,h]=[(s-e)/a,(r-n)/a];o.fillStyle=Ji(t,this.theme),o.beginPath(),o.moveTo(e,n),o.lineTo(s-.8*l*c,r-.8*l*h),o.stroke(),o.beginPath(),o.moveTo(s,r),o.lineTo(s-l*c-.36*l*h,r-l*h+.36*l*c),o.lineTo(s-.78*l*c,r-.78*l*h),o.lineTo(s-l*c+.36*l*h,r-l*h-.36*l*c),o.closePath(),o.fill()}texts(t){let{pen:e,theme:n}=this;e.font="13px system-ui, sans-serif",e.textAlign="center",e.textBaseline="middle",e.fillStyle=t.colour>0||!["body","guide"].includes(t.paint)?Ji(t,n):n.ink,this.each(t,this.panel.dimension,s=>e.fillText(t.text??"",...this.place(t.now,s)))}surface(t){vx(this.pen,t,this.place,this.pen.getTransform().a,this.theme)}face(t,e,n,s){let{pen:r}=this,o=[(e[0]+n[0]+s[0])/3,(e[1]+n[1]+s[1])/3];r.fillStyle=t,r.beginPath();for(let a of[e,n,s]){let[l,c]=[a[0]-o[0],a[1]-o[1]],h=1+KA/(Math.hypot(l,c)||1);r.lineTo(o[0]+h*l,o[1]+h*c)}r.fill()}};function ap(i,t){let[e,n,s,r,o]=i.subarray(t,t+5),[a,l]=[Math.cos(o),Math.sin(o)];return[[-1,-1],[1,-1],[1,1],[-1,1]].map(([c,h])=>[e+(a*c*s-l*h*r)/2,n+(l*c*s+a*h*r)/2])}function jA([i,t],[e,n]){let s=Math.hypot(e-i,n-t)||1,[r,o]=[(e-i)/s,(n-t)/s],a=7,l=Math.min(4,.25*s/op),c=[[i,t]],h=16*op;for(let u=0;u<=h;u++){let f=2*Math.PI*op*u/h,d=(.14+.72*u/h)*s+l*(1-Math.cos(f))-l,p=a*Math.sin(f);c.push([i+d*r-p*o,t+d*o+p*r])}return c.push([e,n]),c}var yx=10;function Tu(i,t,e,n){let s={segments:[],balls:[],dots:[],heads:[],faces:[],values:[],texts:[]},r=QA[i.kind];return r&&i.visible&&i.shown>0&&r(i,t,s,e,n),s}var wu=(i,t,e)=>[t[e],t[e+1],i.lift*t[e+2]],zs=i=>Number.isFinite(i[0]+i[1]+i[2]);function Ko(i,t){return Array.from({length:i.shown},(e,n)=>wu(t,i.now,n*i.size))}function lp(i,t,e){for(let n=0;n+(t?0:1)<i.length;n++){let[s,r]=[i[n],i[(n+1)%i.length]];zs(s)&&zs(r)&&e.segments.push(s,r)}}var QA={points:(i,t,e)=>e.dots.push(...Ko(i,t).filter(zs)),text:(i,t,e)=>e.texts.push(...Ko(i,t).filter(zs)),line:(i,t,e)=>lp(Ko(i,t),!1,e),area(i,t,e){let n=Ko(i,t).filter(zs);if(lp(n,!0,e),!i.filled||n.length<3)return;let s=n.reduce((r,o)=>nn(r,o,1/n.length),[0,0,0]);n.forEach((r,o)=>e.faces.push([r,n[(o+1)%n.length],s]))},circle(i,t,e){Ko(i,t).forEach((n,s)=>{let r=Math.abs(i.now[s*i.size+3]);zs(n)&&r>0&&e.balls.push({at:n,radius:r})})},spring(i,t,e,n,s){for(let r=0;r<i.shown;r++){let[o,a]=[0,3].map(l=>wu(t,i.now,r*i.size+l));zs(o)&&zs(a)&&lp(tE(o,a,s),!1,e)}},arrow(i,t,e,n,s){let r=[0,0,0];for(let o=0;o<i.shown;o++){let a=o*i.size;if(!Nr(t,i,i.now,a,n,r))continue;let[l,c]=[wu(t,i.now,a),wu(t,r,0)],h=Math.hypot(...ln(c,l)),u=Math.min(2.2*s,.6*h),f=Ln(ln(c,l));e.segments.push(l,nn(c,f,-.9*u)),e.heads.push({tip:c,along:f,length:u})}},surface(i,t,e){let n=Ko(i,t),{triangles:s,now:r,size:o}=i;for(let a=0;a<s.length;a+=3){let l=[s[a],s[a+1],s[a+2]];l.every(c=>zs(n[c]))&&(e.faces.push(l.map(c=>n[c])),e.values.push(...l.map(c=>r[c*o+3])))}}};function tE(i,t,e){let n=Ln(ln(t,i)),s=Math.abs(n[2])<.9?[0,0,1]:[1,0,0],r=Ln(ni(n,s)),o=ni(n,r),a=Math.hypot(...ln(t,i)),l=[i],c=18*yx;for(let h=0;h<=c;h++){let u=2*Math.PI*yx*h/c,f=Math.min(1,12*Math.min(h,c-h)/c),d=nn(i,n,a*(.14+.72*h/c));l.push(nn(nn(d,r,f*e*Math.cos(u)),o,f*e*Math.sin(u)))}return l.push(t),l}var eE=Ln([-.35,.67,.65]),Au=class extends Zo{constructor(t,e,n,s,r){super(t,e,n,s,r),r.setPerspective(!1)}resize(t,e){super.resize(t,e),this.camera.resize(t,e)}seen(t){let e=ln(t,this.camera.target),{right:n,top:s,toward:r}=this.axes;return[this.size[0]/2+this.scale*ge(e,n),this.size[1]/2-this.scale*ge(e,s),ge(e,r)]}draw(){let{pen:t,camera:e,theme:n}=this;this.axes=e.axes(),this.scale=this.size[1]/e.height,this.clear(),this.marks=new Jo(t,this.panel,n,null,this.settings.arrows),this.floor();let s=[];for(let r of this.film.marks)r.panel===this.number&&this.cut(r,s);s.sort((r,o)=>r.depth-o.depth);for(let r of s)r.paint();t.globalAlpha=1}floor(){let{low:t,high:e}=this.panel.room,n=[[t[0],t[1]],[e[0],t[1]],[e[0],e[1]],[t[0],e[1]]].map(([s,r])=>this.seen([s,r,t[2]]));this.pen.beginPath();for(let[s,r]of n)this.pen.lineTo(s,r);this.pen.closePath(),this.pen.strokeStyle=this.theme.faint,this.pen.lineWidth=1.5,this.pen.stroke()}cut(t,e){let n=Tu(t,this.panel,this.settings.arrows,8/this.scale),s=(r,o)=>e.push({depth:r,paint:()=>{this.marks.begin(t),o()}});for(let r=0;r<n.segments.length;r+=2){let[o,a]=[this.seen(n.segments[r]),this.seen(n.segments[r+1])];s((o[2]+a[2])/2,()=>this.segment(o,a))}for(let{at:r,radius:o}of n.balls)s(this.seen(r)[2],()=>this.ball(t,this.seen(r),o*this.scale));for(let r of n.dots)s(this.seen(r)[2],()=>this.dot(t,this.seen(r)));for(let r of n.heads)s(this.seen(r.tip)[2],()=>this.head(t,r));for(let r of n.texts)s(1/0,()=>this.text(t,this.seen(r)));n.faces.forEach((r,o)=>{let[a,l,c]=r.map(f=>this.seen(f)),h=n.values.length>0?(n.values[3*o]+n.values[3*o+1]+n.values[3*o+2])/3:null,u=h===null?$o(t,this.theme):Mu(t,h,this.theme);s((a[2]+l[2]+c[2])/3,()=>this.marks.face(an(Ri(u,[0,0,0],nE(a,l,c))),a,l,c))})}segment(t,e){this.pen.beginPath(),this.pen.moveTo(t[0],t[1]),this.pen.lineTo(e[0],e[1]),this.pen.stroke()}ball(t,[e,n],s){let{pen:r}=this,o=$o(t,this.theme),a=r.createRadialGradient(e-.35*s,n-.4*s,.1*s,e,n,s);a.addColorStop(0,an(Ri(o,[1,1,1],.25))),a.addColorStop(1,an(Ri(o,[0,0,0],.4))),r.fillStyle=a,r.beginPath(),r.arc(e,n,s,0,2*Math.PI),r.fill()}dot(t,[e,n]){this.pen.fillStyle=Ji(t,this.theme),this.marks.dot(e,n,2.6*Math.sqrt(t.width||1))}head(t,{tip:e,along:n,length:s}){let r=this.seen(e.map((o,a)=>o-s*n[a]));this.marks.arrow({...t,width:fr(t)},r,this.seen(e))}text(t,[e,n]){this.marks.place=()=>[e,n],this.marks.texts({...t,shown:1})}read(){return""}};function nE(i,t,e){let n=([r,o,a],[l,c,h])=>[r-l,c-o,a-h],s=Ln(ni(n(t,i),n(e,i)));return .35*(1-Math.min(1,Math.abs(ge(s,eE))))}function iE(i){let t=new Map;for(let e of i)!e.label||e.kind==="surface"||e.kind==="text"||(t.has(e.label)||t.set(e.label,[]),t.get(e.label).push(e));return[...t].map(([e,n])=>({label:e,marks:n}))}function sE(i,t){let e=Ji(i,t),n=Math.min(3,fr(i)),s=i.dashed?"4 3":null,r={points:()=>[De("circle",{cx:12,cy:7,r:3,fill:e})],circle:()=>[De("circle",{cx:12,cy:7,r:5,fill:i.filled?Al(i,t):"none",stroke:e,"stroke-width":1.5})],box:()=>[De("rect",{x:5,y:2.5,width:14,height:9,fill:i.filled?Al(i,t):"none",stroke:e,"stroke-width":1.5})],arrow:()=>[De("path",{d:"M2 7H16",stroke:e,"stroke-width":n}),De("path",{d:"M22 7L14 3.5V10.5Z",fill:e})],spring:()=>[De("path",{d:"M1 7H4L6 3L9 11L12 3L15 11L18 3L20 7H23",fill:"none",stroke:e,"stroke-width":1.3})]};r.area=r.box;let o=r[i.kind]?.()??[De("path",{d:"M1 7H23",stroke:e,"stroke-width":n,"stroke-dasharray":s})];return De("svg",{viewBox:"0 0 24 14",width:24,height:14,"aria-hidden":"true"},o)}function bx(i,t){let e=iE(i).map(r=>{let o=I("span",{class:"swatch"}),a=I("button",{type:"button",class:"series","aria-pressed":"true",title:"show or hide"},o,I("span",{class:"name"},r.label));return a.addEventListener("click",()=>{let l=!r.marks[0].visible;for(let c of r.marks)c.visible=l;a.setAttribute("aria-pressed",String(l)),t()}),{entry:r,swatch:o,button:a}});return{element:I("div",{class:"legend film-legend"},e.map(r=>r.button)),setTheme:r=>e.forEach(({entry:o,swatch:a})=>a.replaceChildren(sE(o.marks[0],r))),count:e.length}}var Cu="12px system-ui, sans-serif",rE=56;function Sx(i,t=30){let e=i.title?30:12,n=i.bar?rE:0;if(!i.axes)return{left:8,right:8,top:e,bottom:(i.x_unit&&!i.stretched?26:8)+n};let s=i.y_label||i.y_unit?22:4;return{left:Math.ceil(t)+12+s,right:14,top:e,bottom:(i.x_label||i.x_unit?44:28)+n}}function wx([i,t],e){let n=(t-i)/Math.max(1,e);if(!(n>0))return{step:1,values:[]};let s=10**Math.floor(Math.log10(n)),r=s*[1,2,5,10].find(a=>a*s>=n*.999),o=[];for(let a=Math.ceil(i/r-1e-9);a<=t/r+1e-9;a++)o.push(a*r);return{step:r,values:o}}var Mx=(i,t)=>t?`${i??""} [${t}]`.trim():i??"";function Tx(i,t,e,n){t.title&&(i.font=`600 ${Cu.replace("12px","13px")}`,i.fillStyle=e.ink,i.textAlign="center",i.textBaseline="middle",i.fillText(t.title,n/2,15,n-16))}function Ax(i,t){let e=cp(t);return i.font=Cu,Math.max(18,...br(e.values,e.step).map(n=>i.measureText(n).width))}var oE=({x_label:i,x_unit:t,y_label:e,y_unit:n})=>!!(i||t||!(e||n)),Ex=i=>oE(i.panel)?wx(i.range(0),(i.box.right-i.box.left)/70):{step:1,values:[]},cp=i=>wx(i.range(1),(i.box.bottom-i.box.top)/45);function Cx(i,t,e){let{left:n,right:s,top:r,bottom:o}=t.box;i.strokeStyle=e.faint,i.lineWidth=1,i.beginPath();for(let a of Ex(t).values)Eu(i,t.x(a),r,t.x(a),o);for(let a of cp(t).values)Eu(i,n,t.y(a),s,t.y(a));i.stroke()}function Eu(i,t,e,n,s){i.moveTo(Math.round(t)+.5,Math.round(e)+.5),i.lineTo(Math.round(n)+.5,Math.round(s)+.5)}function Rx(i,t,e,n){let{left:s,right:r,top:o,bottom:a}=e.box,l=Ex(e),c=cp(e);i.strokeStyle=n.muted,i.lineWidth=1,i.strokeRect(Math.round(s)+.5,Math.round(o)+.5,Math.round(r-s),Math.round(a-o)),i.beginPath();for(let h of l.values)Eu(i,e.x(h),a,e.x(h),a-5);for(let h of c.values)Eu(i,s,e.y(h),s+5,e.y(h));i.stroke(),i.font=Cu,i.fillStyle=n.muted,i.textAlign="center",i.textBaseline="top",br(l.values,l.step).forEach((h,u)=>i.fillText(h,e.x(l.values[u]),a+6)),i.textAlign="right",i.textBaseline="middle",br(c.values,c.step).forEach((h,u)=>i.fillText(h,s-6,e.y(c.values[u]))),aE(i,t,e.box,n)}function aE(i,t,{left:e,right:n,top:s,bottom:r},o){i.fillStyle=o.ink,i.textAlign="center",i.textBaseline="bottom",i.fillText(Mx(t.x_label,t.x_unit),(e+n)/2,r+40),i.save(),i.translate(14,(s+r)/2),i.rotate(-Math.PI/2),i.textBaseline="middle",i.fillText(Mx(t.y_label,t.y_unit),0,0),i.restore()}function Px(i,t,e,n){let{right:s,bottom:r,left:o}=t.box,l=.25*(s-o)/t.scale[0],c=10**Math.floor(Math.log10(l)),h=c*[5,2,1].find(p=>p*c<=l*1.001),[u,f,d]=[s-6-h*t.scale[0],s-6,r+16];i.strokeStyle=n.muted,i.lineWidth=1.4,i.beginPath(),i.moveTo(u,d-3),i.lineTo(u,d+3),i.moveTo(u,d),i.lineTo(f,d),i.moveTo(f,d-3),i.lineTo(f,d+3),i.stroke(),i.font=Cu,i.fillStyle=n.muted,i.textAlign="right",i.textBaseline="middle",i.fillText(Nn(te(h),e),u-7,d)}var Ru=class{constructor(t){this.panel=t,this.box={left:0,top:0,right:600,bottom:400},this.version=0,this.reset()}reset(){this.fitted=!0,this.fit()}fit(){let{low:t,high:e,stretched:n}=this.panel,{left:s,top:r,right:o,bottom:a}=this.box,l=[e[0]-t[0],e[1]-t[1]],c=Math.max(...l)||1,h=n?0:.08*c,u=Math.max(l[0],h)||1,f=Math.max(l[1],h)||1,d=[(o-s)/(1.1*u),(a-r)/(1.12*f)];this.scale=n?d:[Math.min(...d),Math.min(...d)],this.centre=[(t[0]+e[0])/2,(t[1]+e[1])/2],this.version+=1}setBox(t){this.box=t,this.fitted?this.fit():this.version+=1}get middle(){return[(this.box.left+this.box.right)/2,(this.box.top+this.box.bottom)/2]}x(t){return this.middle[0]+this.scale[0]*(t-this.centre[0])}y(t){return this.middle[1]-this.scale[1]*(t-this.centre[1])}range(t){let e=(t===0?this.box.right-this.box.left:this.box.bottom-this.box.top)/2/this.scale[t];return[this.centre[t]-e,this.centre[t]+e]}rotate(t,e){this.pan(t,e)}pan(t,e){this.centre=[this.centre[0]-t/this.scale[0],this.centre[1]+e/this.scale[1]],this.fitted=!1,this.version+=1}zoom(t,e=this.middle[0],n=this.middle[1]){let s=[(e-this.middle[0])/this.scale[0],-(n-this.middle[1])/this.scale[1]],r=Math.min(1e6,Math.max(1e-6,t));this.centre=this.centre.map((o,a)=>o+s[a]*(1-1/r)),this.scale=this.scale.map(o=>o*r),this.fitted=!1,this.version+=1}};var lE=9,Pu=(i,t,e)=>{let[n,s]=[e[0]-t[0],e[1]-t[1]],r=Math.min(1,Math.max(0,((i[0]-t[0])*n+(i[1]-t[1])*s)/(n*n+s*s||1)));return Math.hypot(i[0]-t[0]-r*n,i[1]-t[1]-r*s)};function cE(i,t){let e=!1;return t.forEach((n,s)=>{let r=t[(s+1)%t.length];n[1]>i[1]!=r[1]>i[1]&&i[0]<n[0]+(i[1]-n[1])/(r[1]-n[1])*(r[0]-n[0])&&(e=!e)}),e}function Lx(i,t,e,n,s,r){let o=i.panels[t],a=[n,s],l=null,c=lE;for(let h of i.marks){if(h.panel!==t||!h.visible||h.kind==="text")continue;let u=hE(h,o,e,a,r);!u||u.distance>c||(c=Math.max(u.distance,.5),l={mark:h,at:u.at,value:u.value})}return l}function hE(i,t,e,n,s){let{now:r,size:o,shown:a}=i,l=[0,0,0],c=f=>e(r,f),h={points:f=>Math.hypot(n[0]-c(f)[0],n[1]-c(f)[1])-3,line:f=>f+o<a*o?Pu(n,c(f),c(f+o)):1/0,circle:f=>uE(n,r,f,e),box:f=>Ix(n,ap(r,f).map(d=>e(d,0)),!0),spring:f=>Pu(n,c(f),c(f+2))-5,arrow:f=>Nr(t,i,r,f,s,l)?Pu(n,c(f),e(l,0)):1/0};if(i.kind==="surface")return fE(i,e,n);if(i.kind==="area"){let f=Array.from({length:a},(d,p)=>e(r,p*o));return{at:0,distance:Ix(n,f,i.filled)}}let u=null;for(let f=0;f<a;f++){let d=h[i.kind]?.(f*o)??1/0;Number.isFinite(d)&&(!u||d<u.distance)&&(u={at:f*o,distance:d})}return u}function uE(i,t,e,n){let[s,r]=n(t,e),o=Math.abs(n([t[e]+t[e+2],t[e+1]],0)[0]-s)||3,a=Math.abs(n([t[e],t[e+1]+t[e+2]],0)[1]-r)||3,l=Math.hypot((i[0]-s)/o,(i[1]-r)/a);return l<=1?5:(l-1)*Math.min(o,a)}function Ix(i,t,e){let n=Math.min(...t.map((s,r)=>Pu(i,s,t[(r+1)%t.length])));return e&&cE(i,t)?Math.min(n,6):n}function fE(i,t,e){let{now:n,size:s,triangles:r}=i;for(let o=0;o<r.length;o+=3){let[a,l,c]=r.slice(o,o+3).map(g=>g*s),[h,u,f]=[a,l,c].map(g=>t(n,g)),d=(u[0]-h[0])*(f[1]-h[1])-(u[1]-h[1])*(f[0]-h[0]),p=((u[0]-e[0])*(f[1]-e[1])-(u[1]-e[1])*(f[0]-e[0]))/d,x=((f[0]-e[0])*(h[1]-e[1])-(f[1]-e[1])*(h[0]-e[0]))/d,m=1-p-x;if(p>=0&&x>=0&&m>=0)return{at:a,distance:8,value:p*n[a+2]+x*n[l+2]+m*n[c+2]}}return null}function Dx(i,t){let{mark:e,at:n,value:s}=i,{now:r}=e,o=`(${te(r[n],4)}, ${te(r[n+1],4)})`,a=t.x_unit&&t.x_unit===t.y_unit?Nn(o,t.x_unit):o,l=[e.label||e.kind];return e.kind==="surface"?l.push(Nn(te(s,4),e.value_unit)):e.kind==="arrow"?l.push(`${te(Math.hypot(r[n+2],r[n+3]),4)}, components ${te(r[n+2],4)}, ${te(r[n+3],4)}`):e.kind==="spring"?l.push(`length ${Nn(te(Math.hypot(r[n+2]-r[n],r[n+3]-r[n+1]),4),t.x_unit)}`):e.kind!=="area"&&l.push(`at ${a}`),e.kind==="circle"&&Number.isFinite(r[n+3])&&r[n+3]!==0&&l.push(`angle ${te(r[n+3],4)}`),e.kind==="box"&&r[n+4]!==0&&l.push(`angle ${te(r[n+4],4)}`),l.join(`
`)}var Iu=class extends Zo{constructor(t,e,n,s){super(t,e,n,s,new Ru(t.panels[e])),this.place=(r,o)=>[this.camera.x(r[o]),this.camera.y(r[o+1])]}resize(t,e){super.resize(t,e),this.frame(30)}frame(t){let[e,n]=this.size,{left:s,right:r,top:o,bottom:a}=Sx(this.panel,t);this.labels=t,this.camera.setBox({left:s,top:o,right:Math.max(s+20,e-r),bottom:Math.max(o+20,n-a)})}draw(){let{pen:t,panel:e,theme:n,camera:s,film:r}=this,o=e.axes?Ax(t,s):this.labels;(o>this.labels||o<this.labels-16)&&this.frame(o);let{left:a,top:l,right:c,bottom:h}=s.box;this.clear(),e.axes&&Cx(t,s,n),t.save(),t.beginPath(),e.axes?t.rect(a,l,c-a,h-l):t.rect(0,l-4,this.size[0],h-l+8),t.clip();let u=new Jo(t,e,n,this.place,this.settings.arrows);for(let f of r.marks)f.panel===this.number&&u.paint(f);t.restore(),Tx(t,e,n,this.size[0]),e.axes?Rx(t,e,s,n):e.x_unit&&!e.stretched&&Px(t,s,e.x_unit,n)}read(t,e){let n=Lx(this.film,this.number,this.place,t,e,this.settings.arrows);return n?Dx(n,this.panel):""}};Pt.line={worldUnits:{value:1},linewidth:{value:1},resolution:{value:new Zt},dashOffset:{value:0},dashScale:{value:1},dashSize:{value:1},gapSize:{value:1}};ci.line={uniforms:yl.merge([Pt.common,Pt.fog,Pt.line]),vertexShader:`
		#include <common>
		#include <color_pars_vertex>
		#include <fog_pars_vertex>
		#include <logdepthbuf_pars_vertex>
		#include <clipping_planes_pars_vertex>

		uniform float linewidth;
		uniform vec2 resolution;

		attribute vec3 instanceStart;
		attribute vec3 instanceEnd;

		attribute vec3 instanceColorStart;
		attribute vec3 instanceColorEnd;

		#ifdef WORLD_UNITS

			varying vec4 worldPos;
			varying vec3 worldStart;
			varying vec3 worldEnd;

			#ifdef USE_DASH

				varying vec2 vUv;

			#endif

		#else

			varying vec2 vUv;

		#endif

		#ifdef USE_DASH

			uniform float dashScale;
			attribute float instanceDistanceStart;
			attribute float instanceDistanceEnd;
			varying float vLineDistance;

		#endif

		float trimSegmentAlpha( const in vec4 start, const in vec4 end ) {

			// compute the interpolation factor needed to trim the segment so it terminates
			// between the camera plane and the near plane

			// conservative estimate of the near plane
			float a = projectionMatrix[ 2 ][ 2 ]; // 3nd entry in 3th column
			float b = projectionMatrix[ 3 ][ 2 ]; // 3nd entry in 4th column

			// we need different nearEstimate formula for reversed and default depth buffer
			// a is positive with a reversed depth buffer so it can be used for controlling the code flow
			float nearEstimate = ( a > 0.0 ) ? ( - b / ( a + 1.0 ) ) : ( - 0.5 * b / a );

			return ( nearEstimate - start.z ) / ( end.z - start.z );

		}

		void main() {

			#ifdef USE_COLOR

				vColor.xyz = ( position.y < 0.5 ) ? instanceColorStart : instanceColorEnd;

			#endif

			float aspect = resolution.x / resolution.y;

			// camera space
			vec4 start = modelViewMatrix * vec4( instanceStart, 1.0 );
			vec4 end = modelViewMatrix * vec4( instanceEnd, 1.0 );

			#ifdef USE_DASH

				float lineDistanceStart = dashScale * instanceDistanceStart;
				float lineDistanceEnd = dashScale * instanceDistanceEnd;

			#endif

			#ifdef WORLD_UNITS

				worldStart = start.xyz;
				worldEnd = end.xyz;

			#else

				vUv = uv;

			#endif

			// special case for perspective projection, and segments that terminate either in, or behind, the camera plane
			// clearly the gpu firmware has a way of addressing this issue when projecting into ndc space
			// but we need to perform ndc-space calculations in the shader, so we must address this issue directly
			// perhaps there is a more elegant solution -- WestLangley

			bool perspective = ( projectionMatrix[ 2 ][ 3 ] == - 1.0 ); // 4th entry in the 3rd column

			if ( perspective ) {

				if ( start.z < 0.0 && end.z >= 0.0 ) {

					float alpha = trimSegmentAlpha( start, end );
					end.xyz = mix( start.xyz, end.xyz, alpha );

					#ifdef USE_DASH

						lineDistanceEnd = mix( lineDistanceStart, lineDistanceEnd, alpha );

					#endif

				} else if ( end.z < 0.0 && start.z >= 0.0 ) {

					float alpha = trimSegmentAlpha( end, start );
					start.xyz = mix( end.xyz, start.xyz, alpha );

					#ifdef USE_DASH

						lineDistanceStart = mix( lineDistanceEnd, lineDistanceStart, alpha );

					#endif

				}

			}

			#ifdef USE_DASH

				vLineDistance = ( position.y < 0.5 ) ? lineDistanceStart : lineDistanceEnd;
				vUv = uv;

			#endif

			// clip space
			vec4 clipStart = projectionMatrix * start;
			vec4 clipEnd = projectionMatrix * end;

			// ndc space
			vec3 ndcStart = clipStart.xyz / clipStart.w;
			vec3 ndcEnd = clipEnd.xyz / clipEnd.w;

			// direction
			vec2 dir = ndcEnd.xy - ndcStart.xy;

			// account for clip-space aspect ratio
			dir.x *= aspect;
			dir = normalize( dir );

			#ifdef WORLD_UNITS

				vec3 worldDir = normalize( end.xyz - start.xyz );
				vec3 tmpFwd = perspective ? normalize( mix( start.xyz, end.xyz, 0.5 ) ) : vec3( 0.0, 0.0, - 1.0 );
				vec3 worldUp = normalize( cross( worldDir, tmpFwd ) );
				vec3 worldFwd = cross( worldDir, worldUp );
				worldPos = position.y < 0.5 ? start: end;

				// height offset
				float hw = linewidth * 0.5;
				worldPos.xyz += position.x < 0.0 ? hw * worldUp : - hw * worldUp;

				// don't extend the line if we're rendering dashes because we
				// won't be rendering the endcaps
				#ifndef USE_DASH

					// cap extension
					worldPos.xyz += position.y < 0.5 ? - hw * worldDir : hw * worldDir;

					// add width to the box
					worldPos.xyz += worldFwd * hw;

					// endcaps
					if ( position.y > 1.0 || position.y < 0.0 ) {

						worldPos.xyz -= worldFwd * 2.0 * hw;

					}

				#endif

				// project the worldpos
				vec4 clip = projectionMatrix * worldPos;

				// shift the depth of the projected points so the line
				// segments overlap neatly
				vec3 clipPose = ( position.y < 0.5 ) ? ndcStart : ndcEnd;

				// only shift the depth of vertices in front of the camera (#35137)
				if ( clip.w > 0.0 ) clip.z = clipPose.z * clip.w;

			#else

				vec2 offset = vec2( dir.y, - dir.x );
				// undo aspect ratio adjustment
				dir.x /= aspect;
				offset.x /= aspect;

				// sign flip
				if ( position.x < 0.0 ) offset *= - 1.0;

				// endcaps
				if ( position.y < 0.0 ) {

					offset += - dir;

				} else if ( position.y > 1.0 ) {

					offset += dir;

				}

				// adjust for linewidth
				offset *= linewidth;

				// adjust for clip-space to screen-space conversion // maybe resolution should be based on viewport ...
				offset /= resolution.y;

				// select end
				vec4 clip = ( position.y < 0.5 ) ? clipStart : clipEnd;

				// back to clip space
				offset *= clip.w;

				clip.xy += offset;

			#endif

			gl_Position = clip;

			vec4 mvPosition = ( position.y < 0.5 ) ? start : end; // this is an approximation

			#include <logdepthbuf_vertex>
			#include <clipping_planes_vertex>
			#include <fog_vertex>

		}
		`,fragmentShader:`
		uniform vec3 diffuse;
		uniform float opacity;
		uniform float linewidth;

		#ifdef USE_DASH

			uniform float dashOffset;
			uniform float dashSize;
			uniform float gapSize;

		#endif

		varying float vLineDistance;

		#ifdef WORLD_UNITS

			varying vec4 worldPos;
			varying vec3 worldStart;
			varying vec3 worldEnd;

			#ifdef USE_DASH

				varying vec2 vUv;

			#endif

		#else

			varying vec2 vUv;

		#endif

		#include <common>
		#include <color_pars_fragment>
		#include <fog_pars_fragment>
		#include <logdepthbuf_pars_fragment>
		#include <clipping_planes_pars_fragment>

		vec2 closestLineToLine(vec3 p1, vec3 p2, vec3 p3, vec3 p4) {

			float mua;
			float mub;

			vec3 p13 = p1 - p3;
			vec3 p43 = p4 - p3;

			vec3 p21 = p2 - p1;

			float d1343 = dot( p13, p43 );
			float d4321 = dot( p43, p21 );
			float d1321 = dot( p13, p21 );
			float d4343 = dot( p43, p43 );
			float d2121 = dot( p21, p21 );

			float denom = d2121 * d4343 - d4321 * d4321;

			float numer = d1343 * d4321 - d1321 * d4343;

			mua = numer / denom;
			mua = clamp( mua, 0.0, 1.0 );
			mub = ( d1343 + d4321 * ( mua ) ) / d4343;
			mub = clamp( mub, 0.0, 1.0 );

			return vec2( mua, mub );

		}

		void main() {

			float alpha = opacity;
			vec4 diffuseColor = vec4( diffuse, alpha );

			#include <clipping_planes_fragment>

			#ifdef USE_DASH

				if ( vUv.y < - 1.0 || vUv.y > 1.0 ) discard; // discard endcaps

				if ( mod( vLineDistance + dashOffset, dashSize + gapSize ) > dashSize ) discard; // todo - FIX

			#endif

			#ifdef WORLD_UNITS

				float len;

				if ( isOrthographic ) {

					// View rays are parallel to the z axis so the distance reduces to camera-space XY
					vec2 lineDir = worldEnd.xy - worldStart.xy;
					float t = clamp( dot( worldPos.xy - worldStart.xy, lineDir ) / dot( lineDir, lineDir ), 0.0, 1.0 );
					len = length( worldStart.xy + lineDir * t - worldPos.xy );

				} else {

					// Find the closest points on the view ray and the line segment
					vec3 rayEnd = normalize( worldPos.xyz ) * 1e5;
					vec3 lineDir = worldEnd - worldStart;
					vec2 params = closestLineToLine( worldStart, worldEnd, vec3( 0.0, 0.0, 0.0 ), rayEnd );

					vec3 p1 = worldStart + lineDir * params.x;
					vec3 p2 = rayEnd * params.y;
					vec3 delta = p1 - p2;
					len = length( delta );

				}

				float norm = len / linewidth;

				#ifndef USE_DASH

					#ifdef USE_ALPHA_TO_COVERAGE

						float dnorm = fwidth( norm );
						alpha = 1.0 - smoothstep( 0.5 - dnorm, 0.5 + dnorm, norm );

					#else

						if ( norm > 0.5 ) {

							discard;

						}

					#endif

				#endif

			#else

				#ifdef USE_ALPHA_TO_COVERAGE

					// artifacts appear on some hardware if a derivative is taken within a conditional
					float a = vUv.x;
					float b = ( vUv.y > 0.0 ) ? vUv.y - 1.0 : vUv.y + 1.0;
					float len2 = a * a + b * b;
					float dlen = fwidth( len2 );

					if ( abs( vUv.y ) > 1.0 ) {

						alpha = 1.0 - smoothstep( 1.0 - dlen, 1.0 + dlen, len2 );

					}

				#else

					if ( abs( vUv.y ) > 1.0 ) {

						float a = vUv.x;
						float b = ( vUv.y > 0.0 ) ? vUv.y - 1.0 : vUv.y + 1.0;
						float len2 = a * a + b * b;

						if ( len2 > 1.0 ) discard;

					}

				#endif

			#endif

			#include <logdepthbuf_fragment>
			#include <color_fragment>

			gl_FragColor = vec4( diffuseColor.rgb, alpha );

			#include <tonemapping_fragment>
			#include <colorspace_fragment>
			#include <fog_fragment>
			#include <premultiplied_alpha_fragment>

		}
		`};var jo=class extends _n{constructor(t){super({type:"LineMaterial",uniforms:yl.clone(ci.line.uniforms),vertexShader:ci.line.vertexShader,fragmentShader:ci.line.fragmentShader,clipping:!0}),this.isLineMaterial=!0,this.setValues(t)}get color(){return this.uniforms.diffuse.value}set color(t){this.uniforms.diffuse.value=t}get worldUnits(){return"WORLD_UNITS"in this.defines}set worldUnits(t){t===!0!==this.worldUnits&&(this.needsUpdate=!0),t===!0?this.defines.WORLD_UNITS="":delete this.defines.WORLD_UNITS}get linewidth(){return this.uniforms.linewidth.value}set linewidth(t){this.uniforms.linewidth&&(this.uniforms.linewidth.value=t)}get dashed(){return"USE_DASH"in this.defines}set dashed(t){t===!0!==this.dashed&&(this.needsUpdate=!0),t===!0?this.defines.USE_DASH="":delete this.defines.USE_DASH}get dashScale(){return this.uniforms.dashScale.value}set dashScale(t){this.uniforms.dashScale.value=t}get dashSize(){return this.uniforms.dashSize.value}set dashSize(t){this.uniforms.dashSize.value=t}get dashOffset(){return this.uniforms.dashOffset.value}set dashOffset(t){this.uniforms.dashOffset.value=t}get gapSize(){return this.uniforms.gapSize.value}set gapSize(t){this.uniforms.gapSize.value=t}get opacity(){return this.uniforms.opacity.value}set opacity(t){this.uniforms&&(this.uniforms.opacity.value=t)}get resolution(){return this.uniforms.resolution.value}set resolution(t){this.uniforms.resolution.value.copy(t)}get alphaToCoverage(){return"USE_ALPHA_TO_COVERAGE"in this.defines}set alphaToCoverage(t){this.defines&&(t===!0!==this.alphaToCoverage&&(this.needsUpdate=!0),t===!0?this.defines.USE_ALPHA_TO_COVERAGE="":delete this.defines.USE_ALPHA_TO_COVERAGE)}};var Nx=new ai,Lu=new G,Qo=class extends Rr{constructor(){super(),this.isLineSegmentsGeometry=!0,this.type="LineSegmentsGeometry";let t=[-1,2,0,1,2,0,-1,1,0,1,1,0,-1,0,0,1,0,0,-1,-1,0,1,-1,0],e=[-1,2,1,2,-1,1,1,1,-1,-1,1,-1,-1,-2,1,-2],n=[0,2,1,2,3,1,2,4,3,4,5,3,4,6,5,6,7,5];this.setIndex(n),this.setAttribute("position",new Ae(t,3)),this.setAttribute("uv",new Ae(e,2))}applyMatrix4(t){let e=this.attributes.instanceStart,n=this.attributes.instanceEnd;return e!==void 0&&(e.applyMatrix4(t),n.applyMatrix4(t),e.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this}setPositions(t){let e;t instanceof Float32Array?e=t:Array.isArray(t)&&(e=new Float32Array(t));let n=new hs(e,6,1);return this.setAttribute("instanceStart",new Zn(n,3,0)),this.setAttribute("instanceEnd",new Zn(n,3,3)),this.instanceCount=this.attributes.instanceStart.count,this.computeBoundingBox(),this.computeBoundingSphere(),this}setColors(t){let e;t instanceof Float32Array?e=t:Array.isArray(t)&&(e=new Float32Array(t));let n=new hs(e,6,1);return this.setAttribute("instanceColorStart",new Zn(n,3,0)),this.setAttribute("instanceColorEnd",new Zn(n,3,3)),this}fromWireframeGeometry(t){return this.setPositions(t.attributes.position.array),this}fromEdgesGeometry(t){return this.setPositions(t.attributes.position.array),this}fromMesh(t){return this.fromWireframeGeometry(new el(t.geometry)),this}fromLineSegments(t){let e=t.geometry;return this.setPositions(e.attributes.position.array),this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new ai);let t=this.attributes.instanceStart,e=this.attributes.instanceEnd;t!==void 0&&e!==void 0&&(this.boundingBox.setFromBufferAttribute(t),Nx.setFromBufferAttribute(e),this.boundingBox.union(Nx))}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new fi),this.boundingBox===null&&this.computeBoundingBox();let t=this.attributes.instanceStart,e=this.attributes.instanceEnd;if(t!==void 0&&e!==void 0){let n=this.boundingSphere.center;this.boundingBox.getCenter(n);let s=0;for(let r=0,o=t.count;r<o;r++)Lu.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(Lu)),Lu.fromBufferAttribute(e,r),s=Math.max(s,n.distanceToSquared(Lu));this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&console.error("THREE.LineSegmentsGeometry.computeBoundingSphere(): Computed radius is NaN. The instanced position data is likely to have NaN values.",this)}}toJSON(){}};var hp=new Me,Ux=new G,Fx=new G,Gn=new Me,Vn=new Me,ps=new Me,up=new G,fp=new ve,Hn=new al,Ox=new G,Du=new ai,Nu=new fi,ms=new Me,gs,Ur;function Bx(i,t,e){return ms.set(0,0,-t,1).applyMatrix4(i.projectionMatrix),ms.multiplyScalar(1/ms.w),ms.x=Ur/e.width,ms.y=Ur/e.height,ms.applyMatrix4(i.projectionMatrixInverse),ms.multiplyScalar(1/ms.w),Math.abs(Math.max(ms.x,ms.y))}function dE(i,t){let e=i.matrixWorld,n=i.geometry,s=n.attributes.instanceStart,r=n.attributes.instanceEnd,o=Math.min(n.instanceCount,s.count);for(let a=0,l=o;a<l;a++){Hn.start.fromBufferAttribute(s,a),Hn.end.fromBufferAttribute(r,a),Hn.applyMatrix4(e);let c=new G,h=new G;gs.distanceSqToSegment(Hn.start,Hn.end,h,c),h.distanceTo(c)<Ur*.5&&t.push({point:h,pointOnLine:c,distance:gs.origin.distanceTo(h),object:i,face:null,faceIndex:a,uv:null,uv1:null})}}function pE(i,t,e){let n=t.projectionMatrix,r=i.material.resolution,o=i.matrixWorld,a=i.geometry,l=a.attributes.instanceStart,c=a.attributes.instanceEnd,h=Math.min(a.instanceCount,l.count),u=-t.near;gs.at(1,ps),ps.w=1,ps.applyMatrix4(t.matrixWorldInverse),ps.applyMatrix4(n),ps.multiplyScalar(1/ps.w),ps.x*=r.x/2,ps.y*=r.y/2,ps.z=0,up.copy(ps),fp.multiplyMatrices(t.matrixWorldInverse,o);for(let f=0,d=h;f<d;f++){if(Gn.fromBufferAttribute(l,f),Vn.fromBufferAttribute(c,f),Gn.w=1,Vn.w=1,Gn.applyMatrix4(fp),Vn.applyMatrix4(fp),Gn.z>u&&Vn.z>u)continue;if(Gn.z>u){let S=Gn.z-Vn.z,y=(Gn.z-u)/S;Gn.lerp(Vn,y)}else if(Vn.z>u){let S=Vn.z-Gn.z,y=(Vn.z-u)/S;Vn.lerp(Gn,y)}Gn.applyMatrix4(n),Vn.applyMatrix4(n),Gn.multiplyScalar(1/Gn.w),Vn.multiplyScalar(1/Vn.w),Gn.x*=r.x/2,Gn.y*=r.y/2,Vn.x*=r.x/2,Vn.y*=r.y/2,Hn.start.copy(Gn),Hn.start.z=0,Hn.end.copy(Vn),Hn.end.z=0;let x=Hn.closestPointToPointParameter(up,!0);Hn.at(x,Ox);let m=Dd.lerp(Gn.z,Vn.z,x),g=m>=-1&&m<=1,b=up.distanceTo(Ox)<Ur*.5;if(g&&b){Hn.start.fromBufferAttribute(l,f),Hn.end.fromBufferAttribute(c,f),Hn.start.applyMatrix4(o),Hn.end.applyMatrix4(o);let S=new G,y=new G;gs.distanceSqToSegment(Hn.start,Hn.end,y,S),e.push({point:y,pointOnLine:S,distance:gs.origin.distanceTo(y),object:i,face:null,faceIndex:f,uv:null,uv1:null})}}}var Uu=class extends xn{constructor(t=new Qo,e=new jo({color:Math.random()*16777215})){super(t,e),this.isLineSegments2=!0,this.type="LineSegments2"}computeLineDistances(){let t=this.geometry,e=t.attributes.instanceStart,n=t.attributes.instanceEnd,s=new Float32Array(2*e.count);for(let o=0,a=0,l=e.count;o<l;o++,a+=2)Ux.fromBufferAttribute(e,o),Fx.fromBufferAttribute(n,o),s[a]=a===0?0:s[a-1],s[a+1]=s[a]+Ux.distanceTo(Fx);let r=new hs(s,2,1);return t.setAttribute("instanceDistanceStart",new Zn(r,1,0)),t.setAttribute("instanceDistanceEnd",new Zn(r,1,1)),this}raycast(t,e){let n=this.material.worldUnits,s=t.camera;if(s===null&&!n&&console.error('LineSegments2: "Raycaster.camera" needs to be set in order to raycast against LineSegments2 while worldUnits is set to false.'),n===!1&&(this.material.resolution.x===0||this.material.resolution.y===0))return;let r=t.params.Line2!==void 0&&t.params.Line2.threshold||0;gs=t.ray;let o=this.matrixWorld,a=this.geometry,l=this.material;Ur=l.linewidth+r,a.boundingSphere===null&&a.computeBoundingSphere(),Nu.copy(a.boundingSphere).applyMatrix4(o);let c;if(n)c=Ur*.5;else{let u=Math.max(s.near,Nu.distanceToPoint(gs.origin));c=Bx(s,u,l.resolution)}if(Nu.radius+=c,gs.intersectsSphere(Nu)===!1)return;a.boundingBox===null&&a.computeBoundingBox(),Du.copy(a.boundingBox).applyMatrix4(o);let h;if(n)h=Ur*.5;else{let u=Math.max(s.near,Du.distanceToPoint(gs.origin));h=Bx(s,u,l.resolution)}Du.expandByScalar(h),gs.intersectsBox(Du)!==!1&&(n?dE(this,e):pE(this,s,e))}onBeforeRender(t){let e=this.material.uniforms;e&&e.resolution&&(t.getViewport(hp),this.material.uniforms.resolution.value.set(hp.z,hp.w))}};var mE=new G(0,1,0),zx=i=>{let t=new Float32Array(3*i.length);return i.forEach((e,n)=>t.set(e,3*n)),t},dp=(i,t)=>i.color.setRGB(...t,$n),Fu=class{constructor(t,e){Object.assign(this,{mark:t,scene:e}),this.objects={},this.pose=new ve,this.spin=new Li}setTheme(t){this.theme=t,this.label=null;for(let[e,n]of Object.entries(this.objects))this.paint(e,n)}paint(t,e){let n=np(this.mark,this.theme);t==="balls"||t==="faces"?dp(e.material,$o(this.mark,this.theme)):t!=="texts"&&t!=="surface"&&dp(e.material,n)}get look(){let{opacity:t=1}=this.mark;return{transparent:t<1,opacity:t,toneMapped:!1}}object(t,e,n){e>0&&!this.objects[t]&&(this.objects[t]=n(),this.objects[t].frustumCulled=!1,this.paint(t,this.objects[t]),this.scene.add(this.objects[t]));let s=this.objects[t];return s&&(s.visible=e>0),e>0?s:null}instances(t,e,n){this.objects[t]&&this.objects[t].instanceMatrix.count<e&&this.remove(t);let s=this.object(t,e,()=>n(2*e));return s&&(s.count=e),s}update(t,e){this.thick=e,this.segments(t.segments),this.balls(t.balls),this.heads(t.heads),this.dots(t.dots),this.texts(t.texts),this.faces(t.faces,t.values)}segments(t){let e=zx(t),n=this.objects.lines?.geometry.attributes.instanceStart?.data.array.length;this.objects.lines&&n!==e.length&&e.length>0&&this.remove("lines");let s=this.object("lines",t.length,()=>new Uu(new Qo().setPositions(e),new jo({...this.look,linewidth:fr(this.mark),dashed:!1})));if(!s)return;let{data:r}=s.geometry.attributes.instanceStart;r.array.set(e),r.needsUpdate=!0}balls(t){let e=this.instances("balls",t.length,n=>new Ds(new sr(1,40,28),new rr(this.look),n));e&&(t.forEach(({at:n,radius:s},r)=>e.setMatrixAt(r,this.pose.makeScale(s,s,s).setPosition(...n))),e.instanceMatrix.needsUpdate=!0)}heads(t){let e=()=>new Qa(.34,1,20).translate(0,-.5,0),n=this.instances("heads",t.length,s=>new Ds(e(),new rr(this.look),s));n&&(t.forEach(({tip:s,along:r,length:o},a)=>{this.spin.setFromUnitVectors(mE,new G(...r)),n.setMatrixAt(a,this.pose.compose(new G(...s),this.spin,new G(o,o,o)))}),n.instanceMatrix.needsUpdate=!0)}dots(t){let e=this.instances("dots",t.length,s=>new Ds(new sr(1,16,12),new rr(this.look),s));if(!e)return;let n=this.thick*.4*Math.sqrt(this.mark.width||1);t.forEach((s,r)=>e.setMatrixAt(r,this.pose.makeScale(n,n,n).setPosition(...s))),e.instanceMatrix.needsUpdate=!0}faces(t,e){let n=e.length>0,s=this.object(n?"surface":"faces",t.length,()=>new xn(new Ge,new rr({...this.look,side:kn,vertexColors:n,polygonOffset:!0,polygonOffsetFactor:1,polygonOffsetUnits:1})));if(!s)return;let{geometry:r}=s;n&&!r.index&&r.setIndex(Array.from(this.mark.triangles)),kx(r,"position",n?this.corners(t):zx(t.flat()),3),n&&kx(r,"color",this.colours(),3),r.computeVertexNormals()}corners(t){let e=new Float32Array(3*this.mark.shown);return t.forEach((n,s)=>n.forEach((r,o)=>e.set(r,3*this.mark.triangles[3*s+o]))),e}colours(){let{mark:t}=this,e=new Float32Array(3*t.shown);for(let n=0;n<t.shown;n++)e.set(Mu(t,t.now[n*t.size+3],this.theme),3*n);return e}texts(t){this.objects.texts&&this.label!==this.mark.text&&this.remove("texts"),this.label=this.mark.text;let e=this.object("texts",t.length,()=>gE(this.mark.text??"",this.theme));e&&e.position.set(...t[0])}remove(t){let e=this.objects[t];e&&(this.scene.remove(e),e.geometry.dispose(),e.material.map?.dispose(),e.material.dispose(),e.dispose?.(),delete this.objects[t])}dispose(){for(let t of Object.keys(this.objects))this.remove(t)}};function kx(i,t,e,n){let s=i.attributes[t];s&&s.array.length===e.length?(s.array.set(e),s.needsUpdate=!0):i.setAttribute(t,new Ae(e,n))}function gE(i,t){let e=document.createElement("canvas"),n=e.getContext("2d"),s="32px system-ui, sans-serif";n.font=s,e.width=Math.ceil(n.measureText(i).width)+8,e.height=44,n.font=s,n.fillStyle=t.ink,n.textBaseline="middle",n.fillText(i,4,22);let r=new Va(new Oo({map:new Za(e),depthTest:!1,sizeAttenuation:!1,toneMapped:!1})),o=.0011;return r.scale.set(e.width*o,e.height*o,1),dp(r.material,mn("#ffffff")),r}var xE=.016,Ou=class{constructor(t,e,n,s,r,o){Object.assign(this,{film:t,number:e,canvas:n,settings:s,camera:r,panel:t.panels[e]});let a=n.getContext("webgl2",{antialias:!0,alpha:!1});this.renderer=new qo({canvas:n,context:a}),this.renderer.outputColorSpace=$n,this.scene=new Er,this.eye=new zn(r.field*180/Math.PI,1,.1,100),this.sun=new rl(16777215,1.9),this.scene.add(new ol(16777215,1.75),this.sun,this.sun.target,this.makeFloor()),this.marks=t.marks.filter(l=>l.panel===e).map(l=>({mark:l,shown:new Fu(l,this.scene)})),this.lost=!1,n.addEventListener("webglcontextlost",l=>{l.preventDefault(),this.lost=!0,o("The graphics card took its memory back: the picture returns when it can.")}),n.addEventListener("webglcontextrestored",()=>{this.lost=!1,o("")})}makeFloor(){let{low:t,high:e}=this.panel.room,n=new Ge,s=t[2];return n.setAttribute("position",new Ae([t[0],t[1],s,e[0],t[1],s,e[0],e[1],s,t[0],e[1],s],3)),this.floor=new qa(n,new ir({toneMapped:!1})),this.floor}setTheme(t){this.theme=t,this.renderer.setClearColor(new oe().setRGB(...mn(t.paper),$n),1),this.floor.material.color.setRGB(...mn(t.dark?"#3a434b":"#cfd5da"),$n);for(let{shown:e}of this.marks)e.setTheme(t)}resize(t,e){this.size=[t,e],this.renderer.setPixelRatio(Math.min(window.devicePixelRatio||1,2)),this.renderer.setSize(t,e,!1),this.camera.resize(t,e)}placeEye(){let{camera:t,eye:e}=this,{top:n,right:s,toward:r}=t.axes(),o=3*t.room.size+t.distance;e.aspect=t.aspect,e.near=.01*t.distance,e.far=t.distance+o,e.position.set(...t.eye),e.up.set(...n),e.lookAt(...t.target),e.updateProjectionMatrix(),this.sun.position.set(...t.target.map((a,l)=>a+o*(.65*r[l]+.67*n[l]-.35*s[l]))),this.sun.target.position.set(...t.target)}draw(){if(this.lost)return;let t=xE*this.panel.room.size;for(let{mark:e,shown:n}of this.marks)n.update(Tu(e,this.panel,this.settings.arrows,t),t);this.placeEye(),this.renderer.render(this.scene,this.eye)}read(){return""}dispose(){for(let{shown:t}of this.marks)t.dispose();this.floor.geometry.dispose(),this.floor.material.dispose(),this.renderer.dispose(),this.renderer.forceContextLoss()}};var _E=560,Gx=6,vE="this browser has no WebGL: a simpler picture of space";async function Vx(i,t,e){let n=await _x(i.film,e.numbers);return new pp(i,n,t,e)}var pp=class{constructor(t,e,n,s){Object.assign(this,{record:t,film:e,host:n,context:s}),this.settings={arrows:1},this.dirty=!0,this.grid=I("div",{class:"film-grid"}),this.legend=bx(e.marks,()=>{this.dirty=!0}),this.root=I("div",{class:"film"},this.grid,this.legend.count>0&&this.legend.element),n.append(this.root),this.cells=e.panels.map((r,o)=>this.makeCell(o)),this.controls=this.makeControls(),this.endTheme=s.onTheme(()=>this.setTheme()),this.setTheme(),this.resize()}makeCell(t){let e=this.film.panels[t],n=I("canvas",{role:"img","aria-label":this.describePanel(e),tabindex:0}),s=e.lift!==1?`z × ${te(e.lift,3)}`:"",r=I("div",{class:"film-cell"},n,e.space&&I("div",{class:"film-title"},e.title,s&&I("span",{class:"of"},s)));this.grid.append(r);let o=this.film.marks.find(h=>h.panel===t&&h.kind==="surface");e.bar=!!o;let a=e.space?this.makeSpace(t,n):new Iu(this.film,t,n,this.settings),l=new oo(r,!e.space),c={panel:e,canvas:n,box:r,shown:a,overlay:l,surface:o,pointer:null,seen:-1};return oc(n,a.camera,{hover:(h,u)=>{c.pointer=[h,u],this.dirty=!0},click:()=>{}}),c}makeSpace(t,e){let n=new no(this.film.panels[t].room,[0,0,1]),s=this.context.webgl===!1||/[?&]webgl=off\b/.test(window.location.search);return this.webgl??(this.webgl=s?!1:yu()!==null),this.webgl?new Ou(this.film,t,e,this.settings,n,this.context.say):(this.context.say(vE),new Au(this.film,t,e,this.settings,n))}makeControls(){let t=I("button",{type:"button",title:"Show everything again",onclick:()=>this.cells.forEach(({shown:n})=>n.camera.reset())},"reset view");if(!this.film.marks.some(sp))return[t];let e=I("input",{type:"range",min:-1,max:1,step:.05,value:0,"aria-label":"Length of arrows",title:"Length of arrows"});return e.addEventListener("input",()=>{this.settings.arrows=10**Number(e.value),this.dirty=!0}),[I("label",{},"arrows",e),t]}setTheme(){let t=this.context.theme();for(let{shown:e,overlay:n,surface:s}of this.cells)e.setTheme(t),n.setTheme(t),n.scale(s?gx(s,t):null);this.legend.setTheme(t),this.dirty=!0}resize(){let t=this.host.clientWidth,e=this.host.clientHeight;if(t<1||e<1)return;this.root.classList.toggle("narrow",t<_E);let n=[this.grid.clientWidth||t,this.grid.clientHeight||e],s=yE(this.film.panels,n),r=Math.ceil(this.cells.length/s),o=Math.floor((n[1]-Gx*(r-1))/r),a=this.cells.length-s*(r-1);this.cells.forEach(({canvas:l,box:c,shown:h},u)=>{let f=u>=s*(r-1)?a:s,d=Math.floor((n[0]-Gx*(f-1))/f);c.style.width=l.style.width=`${d}px`,c.style.height=l.style.height=`${o}px`,h.resize(d,o)}),this.dirty=!0}update(t){let e=this.film.seek(t);for(let n of this.cells){let{camera:s}=n.shown;if(!e&&!this.dirty&&n.seen===s.version)continue;n.seen=s.version,n.shown.draw(),s.axes&&n.overlay.turn(s.axes());let r=n.panel.space&&!s.perspective&&n.panel.x_unit;n.overlay.measure(r?s.size[1]/s.height:0,n.panel.x_unit),n.overlay.write(n.pointer&&n.pointer[0]>=0?n.shown.read(...n.pointer):"")}this.dirty=!1}describePanel(t){let e=[...new Set(this.film.marks.filter(s=>this.film.panels[s.panel]===t&&s.label).map(s=>s.label))],n=t.space?"Arrow keys turn the view, with Shift they move it":"Arrow keys move the view";return`${t.title||"Drawing of the motion"}${e.length>0?`: ${e.join(", ")}`:""}. ${n}; + and - zoom, 0 shows all.`}describe(){return this.film.panels.map(t=>this.describePanel(t)).join(" ")}dispose(){this.endTheme?.();for(let{shown:t,overlay:e}of this.cells)t.dispose(),e.dispose();this.root.remove()}};function yE(i,[t,e]){let n=1,s=-1;for(let r=1;r<=i.length;r++){let o=Math.ceil(i.length/r),[a,l]=[t/r,e/o],c=i.reduce((h,u)=>{let f=u.high[0]-u.low[0]||1,d=u.high[1]-u.low[1]||1,p=u.stretched?1.8:u.space?1.4:Math.min(4,Math.max(.25,f/d));return h+Math.min(a/p,l)**2*p},0);c>s&&([n,s]=[r,c])}return n}var Hx=[{name:"Bodies",takes:i=>!!i.bodies,create:px},{name:"Drawing",takes:i=>!!i.film,create:Vx}];var ME=3e3;function Wx(i,t,e){let n=[];for(let o of i)for(let a of Hx)a.takes(o)&&n.push(SE(a,o,i.length>1,t,e));e.classList.toggle("several",n.length>1);let s=0;return{update:(o,a)=>{let l=performance.now();for(let c of n)c.update(o,a);a&&(performance.measure("thud-view",{start:l,end:performance.now()}),s+=1,s%ME===0&&performance.clearMeasures("thud-view"))},empty:n.length===0}}function SE(i,t,e,n,s){let r=I("div",{class:"host",style:`--panels: ${t.film?.panels?.length??1}`}),o=I("p",{class:"word","aria-live":"polite"}),a=I("div",{class:"view-controls"}),l=I("figcaption",{},e&&I("span",{class:"view-name"},t.label),a,o),c=I("figure",{class:"view"},r,l);s.append(c);let h=I("p",{class:"unseen",role:"status"});c.append(h);let u=null,f=S=>{u=null,r.replaceChildren(I("p",{class:"failed",role:"alert"},`This view stopped: ${S?.message??S}`)),c.classList.add("broken")},d=S=>{try{return S()}catch(y){return f(y)}},p={numbers:on,release:wm,clock:n,theme:Fe,onTheme:ui,say:S=>{o.textContent=S}};Promise.resolve().then(()=>i.create(t,r,p)).then(S=>{u=S,a.append(...S.controls??[]),new ResizeObserver(()=>u&&d(()=>u.resize())).observe(r)}).catch(f);let x=!0;new IntersectionObserver(S=>{x=S[S.length-1].isIntersecting}).observe(r);let m=null,g=S=>{S===m||!u.describe||(m=S,h.textContent=u.describe())};return{update:(S,y)=>{!u||!x||d(()=>{u.update(S,y),y||g(S)})}}}var wE={play:"M7 4.5v15l12-7.5z",pause:"M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",next:"M6 5.5l9 6.5-9 6.5zM16 5.5h2.2v13H16z",previous:"M18 5.5L9 12l9 6.5zM8 5.5H5.8v13H8z"},TE={loop:"M5 11a6.5 6.5 0 0 1 11.5-3.5L19 10M19 5v5h-5M19 13a6.5 6.5 0 0 1-11.5 3.5L5 14M5 19v-5h5",in:"M5 12h14M12 5v14",out:"M5 12h14",left:"M14.5 6l-6 6 6 6",right:"M9.5 6l6 6-6 6",whole:"M4 12h16M8 8l-4 4 4 4M16 8l4 4-4 4",good:"M5 12.5l4.5 4.5L19 7.5",failed:"M6.5 6.5l11 11M17.5 6.5l-11 11",coarse:"M12 5v9M12 18v.5",stopped:"M8 8h8v8H8z",unfinished:"M12 4.5a7.5 7.5 0 1 0 .01 0M12 8.5V12l2.5 1.5",warning:"M12 4.5L3.5 19h17zM12 10v4.5M12 17v.3",sun:"M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.4 1.4M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4",help:"M9 9.2a3 3 0 1 1 4.6 2.5c-1 .7-1.6 1.2-1.6 2.3M12 17.5v.3"};function Ni(i){let t=wE[i],e=t?De("path",{d:t,fill:"currentColor"}):De("path",{d:TE[i],fill:"none",stroke:"currentColor","stroke-width":1.9,"stroke-linecap":"round","stroke-linejoin":"round"});return De("svg",{viewBox:"0 0 24 24",class:"icon","aria-hidden":"true"},e)}var Xx=[null,[7,4],[1.5,3.5],[9,3,2,3],[14,4],[4,2],[12,3,2,3,2,3],[1.5,6]],qx=i=>Xx[i%Xx.length];function Yx(i){let t={d:"M0 3H36",stroke:"currentColor","stroke-width":2.5,"stroke-dasharray":(i??[]).join(" ")};return De("svg",{viewBox:"0 0 36 6",width:36,height:6,"aria-hidden":"true"},[De("path",t)])}var $x=(i,t)=>(i.panels??[]).find(e=>e.group===t&&e.unit)?.unit??"",AE=i=>i.bodies?.length_unit??(i.panels??[]).find(t=>/position|^q$/.test(t.name)&&t.unit)?.unit??"",Zx=(i,t)=>[i,t].filter(e=>e!=null).join(" – ");function mp(i){let t=i.summary??{},e=o=>typeof o=="number"?`at t = ${_i(o,i.time_unit)}`:"",n=[],s=(o,a,l,...c)=>{typeof a=="number"&&n.push({label:o,text:_i(a,l,3),detail:c.filter(Boolean).join(", ")})},r=(o,a,l)=>o??Zx(a,l);return s("Residual",t.residual,"",r(t.residual_constraint,t.residual_a,t.residual_b),e(t.residual_time)),s("Penetration",t.penetration,AE(i),r(t.penetration_constraint,t.penetration_a,t.penetration_b),e(t.penetration_time)),s("Energy defect",t.ledger?.defect,$x(i,"energy")),s("Steps",t.steps,"",t.rejected_steps>0&&`${te(t.rejected_steps)} rejected`),s("Events",t.events_total??i.events?.total,"",typeof t.impacts=="number"&&ki(t.impacts,"impact")),s("Bodies",t.bodies,"",typeof t.most_contacts=="number"&&`at most ${ki(t.most_contacts,"contact")}`),s("Variation",t.variation,""),s("Proved arcs",t.proved_arcs,"",typeof t.arcs=="number"&&`of ${te(t.arcs)}`),s("End",i.span?.[1],i.time_unit),n}function Bu(i){let t=-1;for(let e=0;e<i.length;e++)!Number.isNaN(i[e])&&(t<0||i[e]>i[t])&&(t=e);return t}async function EE(i){let t=null;for(let e of(i.panels??[]).filter(({name:n})=>n==="gap"))for(let n of e.series){let[s,r]=await Promise.all([on(n.x),on(n.y)]),o=Bu(r.map(a=>-a));o>=0&&!(t?.value<=r[o])&&(t={value:r[o],t:s[o],who:n.label,unit:e.unit})}return t?[Jx(i,"Lowest gap",t.value,t.unit,t.t,t.who)]:[]}var Jx=(i,t,e,n,s,r)=>({label:t,text:_i(e,n,3),detail:e===0?"":[r,`at t = ${_i(s,i.time_unit)}`,"of the rows shown"].filter(Boolean).join(", ")});async function Kx(i){let t=i.summary??{},e=[],n=(...r)=>e.push(Jx(i,...r)),{bodies:s}=i;if(s){let[r,o,a,l,c]=await Promise.all([s.t,s.residual,s.penetration,s.worst_a,s.worst_b].map(on)),[h,u]=[Bu(o),Bu(a)],f=h>=0&&l[h]>=0?Zx(s.names?.[l[h]],s.names?.[c[h]]):"";typeof t.residual!="number"&&h>=0&&n("Residual",o[h],"",r[h],f),typeof t.penetration!="number"&&u>=0&&n("Penetration",a[u],s.length_unit,r[u],"")}else if(typeof t.residual!="number"){let r=(i.panels??[]).find(c=>c.name==="residual")?.series[0],[o,a]=r?await Promise.all([on(r.x),on(r.y)]):[[],[]],l=Bu(a);l>=0&&n("Residual",a[l],"",o[l],"")}return!s&&typeof t.penetration!="number"&&e.push(...await EE(i)),e}var CE=new Set(["events","warnings","title","verdict","reason","method"]),RE=400;function jx(i,t,e){if(Array.isArray(i)&&i.every(n=>n===null||typeof n!="object"))e.push([t,i.map(yr).join(", ")]);else if(i!==null&&typeof i=="object")for(let[n,s]of Object.entries(i))t===""&&CE.has(n)||jx(s,t?`${t}.${n}`:n,e);else e.push([t,i===!0?"yes":i===!1?"no":yr(i)]);return e}function gp(i,t=""){if(!i.summary)return null;let e=jx(i.summary,"",[]);if(e.length===0)return null;let n=e.slice(0,RE);return I("details",{class:"numbers"},I("summary",{},t?`All numbers of ${t}`:"All numbers of the run"),I("div",{class:"columns"},n.map(([s,r])=>I("div",{class:"pair"},I("span",{class:"name"},Zs(s)),I("span",{class:"value"},r)))),e.length>n.length&&I("p",{class:"quiet"},`${te(e.length-n.length)} more are in the record.`))}function Qx(i){let t=i.filter(r=>r.summary?.ledger),e=[...new Set(t.flatMap(r=>Object.keys(r.summary.ledger)))];if(e.length===0)return null;let n=$x(t[0],"energy"),s=t.map(r=>I("tr",{},i.length>1&&I("th",{scope:"row"},r.label),e.map(o=>I("td",{class:"number"},te(r.summary.ledger[o],4)))));return I("div",{class:"table-wrap"},I("table",{class:"ledger"},I("caption",{},"Energy ledger at the end",n&&I("span",{class:"unit"},` ${n}`)),I("thead",{},I("tr",{},i.length>1&&I("th",{scope:"col"},"record"),e.map(r=>I("th",{scope:"col",class:"number"},Zs(r))))),I("tbody",{},s)))}var PE=["Residual","Penetration","Energy defect","Steps","Events","Bodies","Variation","End"],IE=3,xp={good:"Every step meets its tolerance.",coarse:"The run reached its end, with steps that are long for this motion: the warnings say more.",failed:"The run failed.",stopped:"The run was stopped before its end.",unfinished:"The run has not ended."};function t_(i){let t=i.finished===!1&&!xp[i.verdict]?"unfinished":i.verdict,e=xp[t]?t:"unfinished";return I("p",{class:`verdict ${e}`},I("span",{class:"badge"},Ni(e),I("span",{},t)),I("span",{class:"reason"},i.reason||xp[e]))}var e_=i=>I("span",{class:"record-swatch"},Yx(i.pattern)),n_=i=>[i.kind,i.method!==i.kind&&i.method].filter(Boolean).join(" · "),i_=(i,t)=>[t&&i.title,n_(i)].filter(Boolean).join(" · ");function s_(i,t){let e=mp(i);t(e),Kx(i).then(n=>n.length>0&&t([...n,...e]),()=>{})}function LE(i,t){let e=({label:s,text:r,detail:o})=>I("div",{class:"figure"},I("dt",{},s),I("dd",{},r,o&&I("small",{},o))),n=I("dl",{class:"figures"});return s_(i,s=>n.replaceChildren(...s.map(e))),I("article",{class:"card"},t&&I("h2",{class:"card-title"},e_(i),i.label),t&&I("p",{class:"kind"},i_(i,i.title!==i.label)),t_(i),n,gp(i))}function DE(i){let t=new Set(i.flatMap(a=>mp(a).map(l=>l.label))),e=PE.filter(a=>t.has(a)||a==="Residual"),n=i.map(a=>{let l=e.map(()=>I("td",{class:"number"}));s_(a,h=>e.forEach((u,f)=>{let d=h.find(p=>p.label===u);l[f].textContent=d?.text??"–",l[f].title=d?.detail??""}));let c=I("th",{scope:"row"},I("span",{class:"view-name"},e_(a),a.label));return I("tr",{},c,I("td",{},i_(a,!1)),I("td",{},t_(a)),l)}),s=i.map(a=>gp(a,a.label)),r=["record","kind","verdict"].map(a=>I("th",{scope:"col"},a)),o=e.map(a=>I("th",{scope:"col",class:"number"},a));return I("div",{class:"cards table-wrap",tabindex:"0"},I("table",{class:"comparison"},I("thead",{},I("tr",{},r,o)),I("tbody",{},n)),I("details",{class:"numbers"},I("summary",{},"All numbers of the runs"),s))}function NE(i){let t=i.length>1;return I("div",{class:t?"cards several":"cards"},i.map(e=>LE(e,t)))}function r_(i,t,e){let n=t[0],s=t.length>1,r=I("button",{type:"button",class:"tool",onclick:$l},Ni("sun")),o=()=>{let c=Fe().dark?"Light colours":"Dark colours";r.setAttribute("aria-label",c),r.title=c};o(),ui(o);let a=I("button",{type:"button",class:"tool","aria-label":"Keys and help",title:"Keys and help (?)",onclick:e},Ni("help")),l=s?`${t.length} records with one clock`:n_(n);return I("header",{class:"page-head"},I("div",{class:"title-row"},I("div",{},I("p",{class:"eyebrow"},l),I("h1",{},i.title||n.title||n.name)),I("div",{class:"page-tools"},r,a)),t.length>IE?DE(t):NE(t))}function o_(i){return I("nav",{class:"contents","aria-label":"Contents"},I("ul",{},i.map(([t,e])=>I("li",{},I("a",{href:`#${t}`},e)))))}var a_=3,UE=2;function l_(i,t,e){let n=Number.isFinite(i.t)&&I("button",{type:"button",class:"link",onclick:()=>e.seek(i.t)},`t = ${_i(i.t,t.time_unit)}`);return I("li",{},i.message," ",n)}function FE(i,t,e,n){let s=i[0],r=i.slice(a_);return I("article",{class:"warning"},Ni("warning"),I("div",{},I("p",{class:"warning-title"},I("strong",{},s.code),i.length>1&&` · ${ki(i.length,"time")}`,n&&` · ${t.label}`),I("ul",{},i.slice(0,a_).map(o=>l_(o,t,e))),r.length>0&&I("details",{},I("summary",{},`${te(r.length)} more`),I("ul",{},r.map(o=>l_(o,t,e)))),s.cause&&I("p",{},I("b",{},"Cause. "),s.cause),s.cure&&I("p",{},I("b",{},"Cure. "),s.cure)))}function c_(i,t){let e=[];for(let s of i){let r=new Map;for(let o of s.warnings??[])r.set(o.code,[...r.get(o.code)??[],o]);for(let o of r.values())e.push(FE(o,s,t,i.length>1))}if(e.length===0)return null;let n=I("div",{class:"warnings"},e);return I("section",{"aria-label":"Warnings"},e.length>UE?OE(n,i):n)}function OE(i,t){let e=t.flatMap(s=>s.warnings??[]),n=[...new Set(e.map(s=>s.code))].join(", ");return I("details",{class:"warnings-folded"},I("summary",{},Ni("warning"),I("b",{},ki(e.length,"warning")),` ${n}`),i)}function h_(i){let t=i.flatMap(e=>(e.notes??[]).map(n=>i.length>1?`${e.label}: ${n}`:n));return t.length===0?null:I("section",{class:"notes","aria-labelledby":"notes"},I("h2",{id:"notes"},"Notes"),I("ul",{},t.map(e=>I("li",{},e))))}function BE(i,t){let e=i.scene.replace(/\n$/,"").split(`
`),n=String(e.length).length;return I("details",{class:"scene"},I("summary",{},t?`Scene of ${i.label}`:"Scene as given",I("span",{class:"quiet"},` ${ki(e.length,"line")}`)),I("pre",{tabindex:"0",style:`--digits: ${n}ch`},e.map(s=>I("code",{class:"line"},`${s}
`))))}function u_(i){let t=i.filter(e=>e.scene);return t.length===0?null:I("section",{class:"scenes","aria-labelledby":"scene"},I("h2",{id:"scene"},t.length>1?"Scenes":"Scene"),t.map(e=>BE(e,i.length>1)))}var zE=new Set(["impact","percussion","jump","limit","zeno","fork"]),f_=(i,t)=>(i.events?.columns??[]).findIndex(e=>e.name===t);function zu(i){let t=f_(i,"t"),e=f_(i,"kind");return t<0?[]:i.events.rows.filter(n=>Number.isFinite(n[t])).map(n=>({t:n[t],kind:String(n[e]??""),strong:zE.has(n[e])})).sort((n,s)=>n.t-s.t)}function _p(i){let t=zu(i),e=t.filter(n=>n.strong);return(e.length>0?e:t).map(n=>n.t)}var d_=16,kE=3,GE=i=>i>=1?`${i}×`:`1/${Math.round(1/i)}×`;function ku(i,t,e){return I("button",{type:"button",class:"tool","aria-label":t,title:t,onclick:e},Ni(i))}function p_(i){return[...new Set(i.flatMap(t=>zu(t).map(e=>e.t)))].sort((t,e)=>t-e)}function El(i,t,e){let n=1e-12*(i.span[1]-i.span[0]),s=e>0?t.find(r=>r>i.t+n):[...t].reverse().find(r=>r<i.t-n);i.pause(),s!==void 0&&i.seek(s)}function VE(i,t){let e=I("canvas",{class:"markers","aria-hidden":"true"}),n=i.map(zu),s=()=>{let r=window.devicePixelRatio||1,o=e.clientWidth,a=e.clientHeight;if(o===0)return;e.width=Math.round(o*r),e.height=Math.round(a*r);let l=e.getContext("2d"),c=Fe(),h=n.length>kE?1:n.length,u=e.height/h;n.forEach((f,d)=>{let p=new Set;for(let{t:x,strong:m}of[...f].sort((g,b)=>Number(g.strong)-Number(b.strong))){let g=d_/2+(x-t.span[0])/(t.span[1]-t.span[0])*(o-d_),b=Math.round(g*r);p.has(2*b+Number(m))||(p.add(2*b+Number(m)),l.fillStyle=m?c.accent:c.muted,l.globalAlpha=m?.9:.45,l.fillRect(b-Math.floor(r/2),d%h*u+(m?0:u/2),Math.max(1,Math.round(r)),m?u:u/2))}})};return new ResizeObserver(s).observe(e),ui(s),e}function m_(i,t,e,n){let s=so(t.span),r=t.span[1]-t.span[0],o=ku("play","Play",()=>t.toggle());o.classList.add("play");let a=I("input",{type:"range",class:"scrub",min:0,max:1,step:"any",value:0,"aria-label":"Time"});a.addEventListener("input",()=>t.seek(t.span[0]+Number(a.value)*r));let l=I("output",{class:"time","aria-live":"off"}),c=I("span",{class:"time-end"},Nn(` / ${s(t.span[1])}`,n)),h=I("select",{"aria-label":"Speed"},_r.SPEEDS.map(x=>I("option",{value:x,selected:x===1},GE(x))));h.addEventListener("change",()=>t.setSpeed(Number(h.value)));let u=ku("loop","Loop",()=>t.setLoop(!t.loop));u.setAttribute("aria-pressed","false");let f=ku("previous","Previous event",()=>El(t,e,-1)),d=ku("next","Next event",()=>El(t,e,1));f.hidden=d.hidden=e.length===0;let p=(x,m)=>{if((m==="time"||!m)&&(l.textContent=s(t.t),a.value=(t.t-t.span[0])/r,a.style.setProperty("--done",a.value),a.setAttribute("aria-valuetext",Nn(s(t.t),n))),m==="playing"){let g=t.playing?"Pause":"Play";o.replaceChildren(Ni(t.playing?"pause":"play")),o.setAttribute("aria-label",g),o.title=g}m==="speed"&&(h.value=t.speed),m==="loop"&&u.setAttribute("aria-pressed",String(t.loop)),h.title=`${Nn(te(t.rate(),3),n)} per second`};return t.subscribe(p),p(t,""),I("div",{class:"transport",role:"group","aria-label":"Clock"},I("div",{class:"buttons"},f,o,d),I("div",{class:"scrubber"},e.length>0&&VE(i,t),a),I("div",{class:"read"},l,c),I("div",{class:"buttons"},h,u))}var HE=[["Space","play, pause"],["← →","step back, forward"],["Shift + ← →","previous, next event"],["Home, End","start, end"],["+ −","faster, slower"],["L","loop"],["D","light or dark colours"],["?","this help"]],WE=[["← → ↑ ↓","turn or move"],["+ − 0","nearer, farther, as at first"]],XE=[["drag","zoom into a time series or a phase plot"],["double-click","all of it again"],["Ctrl + wheel","zoom at the cursor"],["click","sets the clock to that time"]],vp=(i,t)=>[I("h3",{},i),I("dl",{class:"keys"},t.map(([e,n])=>I("div",{},I("dt",{},I("kbd",{},e)),I("dd",{},n))))];function g_(){let i=I("button",{type:"button",class:"plain",onclick:()=>t.close()},"Close"),t=I("dialog",{class:"help","aria-label":"Keys and help"},I("h2",{},"Keys"),vp("Clock",HE),vp("In a picture that has the focus",WE),vp("Mouse",XE),i);return t.addEventListener("click",e=>{e.target===t&&t.close()}),{element:t,open:()=>{t.open||t.showModal()}}}function qE(i){let t=i.target instanceof Element?i.target:document.body;return i.defaultPrevented||i.ctrlKey||i.metaKey||i.altKey||t.closest("dialog[open], select, textarea")?!0:t.closest("input")&&!t.matches(".scrub")?!["?"].includes(i.key):!!(t.closest(".host")&&(i.key.startsWith("Arrow")||["+","-","=","0","Home","End","PageUp","PageDown"].includes(i.key))||i.key===" "&&t.closest("button, a, summary")||t.closest("pre, .table-wrap")&&/Arrow|Page|Home|End/.test(i.key))}function x_(i,t,e){let n=r=>{i.pause(),i.seek(i.t+r*(i.span[1]-i.span[0]))},s={" ":()=>i.toggle(),ArrowRight:r=>r.shiftKey?El(i,t,1):n(.005),ArrowLeft:r=>r.shiftKey?El(i,t,-1):n(-.005),Home:()=>i.seek(i.span[0]),End:()=>{i.pause(),i.seek(i.span[1])},"+":()=>i.shiftSpeed(1),"=":()=>i.shiftSpeed(1),"-":()=>i.shiftSpeed(-1),l:()=>i.setLoop(!i.loop),d:e.theme,"?":e.help};document.addEventListener("keydown",r=>{let o=s[r.key.length===1?r.key.toLowerCase():r.key];!o||qE(r)||(r.preventDefault(),o(r))})}var Cl=100;function YE(i,t,e,n){let s=new Map;for(let r of i)s.set(r[t],(s.get(r[t])??0)+1);return s.size<2?null:I("div",{class:"filter",role:"group","aria-label":"Kinds of events"},[...s].map(([r,o])=>{let a=I("button",{type:"button",class:"chip-button","aria-pressed":"true"},yr(r),I("span",{class:"count"},te(o)));return e.add(r),a.addEventListener("click",()=>{e.has(r)?e.delete(r):e.add(r),a.setAttribute("aria-pressed",String(e.has(r))),n()}),a}))}var $E=(i,t)=>typeof i=="number"&&typeof t=="number"?i-t:i===null||t===null?+(i===null)-+(t===null):String(i)<String(t)?-1:String(i)>String(t)?1:0;function ZE(i,t,e){let n=Math.max(1,Math.ceil(t/Cl));if(i.page=Math.min(i.page,n-1),n===1)return[];let s=(r,o,a)=>I("button",{type:"button",class:"plain",disabled:a,onclick:()=>{i.page+=o,e()}},r);return[s("Earlier rows",-1,i.page===0),I("span",{},`${te(i.page*Cl+1)}–${te(Math.min(t,(i.page+1)*Cl))} of ${te(t)}`),s("Further rows",1,i.page===n-1)]}function JE(i,t){let{columns:e,rows:n,total:s}=i.events,r=e.findIndex(y=>y.name==="kind"),o=e.findIndex(y=>y.name==="t"),a=e.map((y,C)=>C).filter(y=>n.some(C=>C[y]!==null&&C[y]!==void 0&&C[y]!=="")),l=new Set(a.filter(y=>n.some(C=>typeof C[y]=="number"))),c=new Set,h={page:0,sort:o,down:!1},u=I("tbody",{}),f=I("div",{class:"pager"}),d=a.map(y=>{let C=I("button",{type:"button",class:"sort"},Zs(e[y].name),e[y].unit&&I("span",{class:"unit"},` ${e[y].unit}`));return C.addEventListener("click",()=>{h.down=h.sort===y?!h.down:!1,h.sort=y,h.page=0,m()}),I("th",{scope:"col",class:l.has(y)&&"number"},C)}),p=[],x=y=>{let C=()=>t.seek(y[o]),E=a.map(_=>I("td",{class:l.has(_)&&"number"},_===o?I("button",{type:"button",class:"link",onclick:C},yr(y[_])):yr(y[_])));return I("tr",{onclick:o>=0?C:null},E)},m=()=>{let y=n.filter(C=>c.size===0&&r<0?!0:r<0||!b||c.has(C[r]));h.sort>=0&&y.sort((C,E)=>(h.down?-1:1)*$E(C[h.sort],E[h.sort])),d.forEach((C,E)=>C.setAttribute("aria-sort",a[E]===h.sort?h.down?"descending":"ascending":"none")),f.replaceChildren(...ZE(h,y.length,m)),p=y.slice(h.page*Cl,(h.page+1)*Cl).map(C=>({t:C[o],element:x(C)})),u.replaceChildren(...p.map(C=>C.element)),g()},g=()=>{let y=-1/0;for(let{t:C}of p)C<=t.t&&C>y&&(y=C);for(let{t:C,element:E}of p)E.classList.toggle("now",C===y)},b=r>=0?YE(n,r,c,()=>{h.page=0,m()}):null;m();let S=s>n.length&&I("p",{class:"quiet"},`${te(n.length)} of ${te(s)} events are in this page.`);return{element:I("div",{class:"events-of"},b,I("div",{class:"table-wrap tall",tabindex:"0"},I("table",{class:"events"},I("thead",{},I("tr",{},d)),u)),f,S),tick:g}}function __(i,t){let e=i.filter(r=>r.events?.rows?.length>0);if(e.length===0)return null;let n=e.map(r=>JE(r,t)),s=n.map((r,o)=>i.length>1?I("details",{open:o===0},I("summary",{},e[o].label,I("span",{class:"quiet"},` ${ki(e[o].events.total,"event")}`)),r.element):r.element);return{element:I("section",{class:"event-section","aria-labelledby":"events"},I("h2",{id:"events"},"Events"),s),read:()=>n.forEach(r=>r.tick())}}var Gu=class{constructor(t){this.full=t,this.low=t[0],this.high=t[1],this.listeners=new Set}subscribe(t){return this.listeners.add(t),()=>this.listeners.delete(t)}set(t,e){let n=this.full[1]-this.full[0],s=Math.min(n,Math.max(e-t,n*1e-9)),r=t;if(r<this.full[0]&&(r=this.full[0]),r+s>this.full[1]&&(r=this.full[1]-s),!(r===this.low&&r+s===this.high)){this.low=r,this.high=Math.min(this.full[1],r+s);for(let o of this.listeners)o(this)}}reset(){this.set(...this.full)}whole(){return this.low===this.full[0]&&this.high===this.full[1]}zoom(t,e=(this.low+this.high)/2){this.set(e-(e-this.low)*t,e+(this.high-e)*t)}pan(t){let e=t*(this.high-this.low);this.set(this.low+e,this.high+e)}},Vu=class{constructor(){this.t=null,this.listeners=new Set}subscribe(t){return this.listeners.add(t),()=>this.listeners.delete(t)}set(t){if(t!==this.t){this.t=t;for(let e of this.listeners)e(t)}}};var KE="uplot",jE="u-hz",QE="u-vt",tC="u-title",eC="u-wrap",nC="u-under",iC="u-over",sC="u-axis",Br="u-off",rC="u-select",oC="u-cursor-x",aC="u-cursor-y",lC="u-cursor-pt",cC="u-legend",hC="u-live",uC="u-inline",fC="u-series",dC="u-marker",v_="u-label",pC="u-value",Pl="width",Il="height";var y_="bottom",ta="left",yp="right",Op="#000",b_=Op+"0",bp="mousemove",M_="mousedown",Mp="mouseup",S_="mouseenter",w_="mouseleave",T_="dblclick",mC="resize",gC="scroll",A_="change",Yu="dppxchange",Bp="--",aa=typeof window<"u",Ep=aa?document:null,na=aa?window:null,xC=aa?navigator:null,Ee,Hu;function Cp(){let i=devicePixelRatio;Ee!=i&&(Ee=i,Hu&&Pp(A_,Hu,Cp),Hu=matchMedia(`(min-resolution: ${Ee-.001}dppx) and (max-resolution: ${Ee+.001}dppx)`),zr(A_,Hu,Cp),na.dispatchEvent(new CustomEvent(Yu)))}function wi(i,t){if(t!=null){let e=i.classList;!e.contains(t)&&e.add(t)}}function Rp(i,t){let e=i.classList;e.contains(t)&&e.remove(t)}function Ye(i,t,e){i.style[t]=e+"px"}function Ki(i,t,e,n){let s=Ep.createElement(i);return t!=null&&wi(s,t),e?.insertBefore(s,n),s}function Ui(i,t){return Ki("div",i,t)}var E_=new WeakMap;function xs(i,t,e,n,s){let r="translate("+t+"px,"+e+"px)",o=E_.get(i);r!=o&&(i.style.transform=r,E_.set(i,r),t<0||e<0||t>n||e>s?wi(i,Br):Rp(i,Br))}var C_=new WeakMap;function R_(i,t,e){let n=t+e,s=C_.get(i);n!=s&&(C_.set(i,n),i.style.background=t,i.style.borderColor=e)}var P_=new WeakMap;function I_(i,t,e,n){let s=t+""+e,r=P_.get(i);s!=r&&(P_.set(i,s),i.style.height=e+"px",i.style.width=t+"px",i.style.marginLeft=n?-t/2+"px":0,i.style.marginTop=n?-e/2+"px":0)}var zp={passive:!0},_C={...zp,capture:!0};function zr(i,t,e,n){t.addEventListener(i,e,n?_C:zp)}function Pp(i,t,e,n){t.removeEventListener(i,e,zp)}aa&&Cp();function ji(i,t,e,n){let s;e=e||0,n=n||t.length-1;let r=n<=2147483647;for(;n-e>1;)s=r?e+n>>1:Ti((e+n)/2),t[s]<i?e=s:n=s;return i-t[e]<=t[n]-i?e:n}function rv(i){return(e,n,s)=>{let r=-1,o=-1;for(let a=n;a<=s;a++)if(i(e[a])){r=a;break}for(let a=s;a>=n;a--)if(i(e[a])){o=a;break}return[r,o]}}var ov=i=>i!=null,av=i=>i!=null&&i>0,Ju=rv(ov),vC=rv(av);function yC(i,t,e,n=0,s=!1){let r=s?vC:Ju,o=s?av:ov;[t,e]=r(i,t,e);let a=i[t],l=i[t];if(t>-1)if(n==1)a=i[t],l=i[e];else if(n==-1)a=i[e],l=i[t];else for(let c=t;c<=e;c++){let h=i[c];o(h)&&(h<a?a=h:h>l&&(l=h))}return[a??Be,l??-Be]}function Ku(i,t,e,n){let s=N_(i),r=N_(t);i==t&&(s==-1?(i*=e,t/=e):(i/=e,t*=e));let o=e==10?ks:lv,a=s==1?Ti:Fi,l=r==1?Fi:Ti,c=a(o(An(i))),h=l(o(An(t))),u=ia(e,c),f=ia(e,h);return e==10&&(c<0&&(u=ze(u,-c)),h<0&&(f=ze(f,-h))),n||e==2?(i=u*s,t=f*r):(i=fv(i,u),t=ju(t,f)),[i,t]}function kp(i,t,e,n){let s=Ku(i,t,e,n);return i==0&&(s[0]=0),t==0&&(s[1]=0),s}var Gp=.1,L_={mode:3,pad:Gp},Dl={pad:0,soft:null,mode:0},bC={min:Dl,max:Dl};function $u(i,t,e,n){return Qu(e)?D_(i,t,e):(Dl.pad=e,Dl.soft=n?0:null,Dl.mode=n?3:0,D_(i,t,bC))}function we(i,t){return i??t}function MC(i,t,e){for(t=we(t,0),e=we(e,i.length-1);t<=e;){if(i[t]!=null)return!0;t++}return!1}function D_(i,t,e){let n=e.min,s=e.max,r=we(n.pad,0),o=we(s.pad,0),a=we(n.hard,-Be),l=we(s.hard,Be),c=we(n.soft,Be),h=we(s.soft,-Be),u=we(n.mode,0),f=we(s.mode,0),d=t-i,p=ks(d),x=hi(An(i),An(t)),m=ks(x),g=An(m-p);(d<1e-24||g>10)&&(d=0,(i==0||t==0)&&(d=1e-24,u==2&&c!=Be&&(r=0),f==2&&h!=-Be&&(o=0)));let b=d||x||1e3,S=ks(b),y=ia(10,Ti(S)),C=b*(d==0?i==0?.1:1:r),E=ze(fv(i-C,y/10),24),_=i>=c&&(u==1||u==3&&E<=c||u==2&&E>=c)?c:Be,A=hi(a,E<_&&i>=_?_:Qi(_,E)),B=b*(d==0?t==0?.1:1:o),U=ze(ju(t+B,y/10),24),N=t<=h&&(f==1||f==3&&U>=h||f==2&&U<=h)?h:-Be,k=Qi(l,U>N&&t<=N?N:hi(N,U));return A==k&&A==0&&(k=100),[A,k]}var SC=new Intl.NumberFormat(aa?xC.language:"en-US"),Vp=i=>SC.format(i),Ai=Math,qu=Ai.PI,An=Ai.abs,Ti=Ai.floor,Tn=Ai.round,Fi=Ai.ceil,Qi=Ai.min,hi=Ai.max,ia=Ai.pow,N_=Ai.sign,ks=Ai.log10,lv=Ai.log2,wC=(i,t=1)=>Ai.sinh(i)*t,Sp=(i,t=1)=>Ai.asinh(i/t),Be=1/0;function U_(i){return(ks((i^i>>31)-(i>>31))|0)+1}function Ip(i,t,e){return Qi(hi(i,t),e)}function cv(i){return typeof i=="function"}function ye(i){return cv(i)?i:()=>i}var TC=()=>{},hv=i=>i,uv=(i,t)=>t,AC=i=>null,F_=i=>!0,O_=(i,t)=>i==t,EC=/\.\d*?(?=9{6,}|0{6,})/gm,kr=i=>{if(pv(i)||pr.has(i))return i;let t=`${i}`,e=t.match(EC);if(e==null)return i;let n=e[0].length-1;if(t.indexOf("e-")!=-1){let[s,r]=t.split("e");return+`${kr(s)}e${r}`}return ze(i,n)};function Fr(i,t){return kr(ze(kr(i/t))*t)}function ju(i,t){return kr(Fi(kr(i/t))*t)}function fv(i,t){return kr(Ti(kr(i/t))*t)}function ze(i,t=0){if(pv(i))return i;let e=10**t,n=i*e*(1+Number.EPSILON);return Tn(n)/e}var pr=new Map;function dv(i){return((""+i).split(".")[1]||"").length}function Ul(i,t,e,n){let s=[],r=n.map(dv);for(let o=t;o<e;o++){let a=An(o),l=ze(ia(i,o),a);for(let c=0;c<n.length;c++){let h=i==10?+`${n[c]}e${o}`:n[c]*l,u=(o>=0?0:a)+(o>=r[c]?0:r[c]),f=i==10?h:ze(h,u);s.push(f),pr.set(f,u)}}return s}var Nl={},Hp=[],sa=[null,null],dr=Array.isArray,pv=Number.isInteger,CC=i=>i===void 0;function B_(i){return typeof i=="string"}function Qu(i){let t=!1;if(i!=null){let e=i.constructor;t=e==null||e==Object}return t}function RC(i){return i!=null&&typeof i=="object"}var PC=Object.getPrototypeOf(Uint8Array),mv="__proto__";function ra(i,t=Qu){let e;if(dr(i)){let n=i.find(s=>s!=null);if(dr(n)||t(n)){e=Array(i.length);for(let s=0;s<i.length;s++)e[s]=ra(i[s],t)}else e=i.slice()}else if(i instanceof PC)e=i.slice();else if(t(i)){e={};for(let n in i)n!=mv&&(e[n]=ra(i[n],t))}else e=i;return e}function vn(i){let t=arguments;for(let e=1;e<t.length;e++){let n=t[e];for(let s in n)s!=mv&&(Qu(i[s])?vn(i[s],ra(n[s])):i[s]=ra(n[s]))}return i}var IC=0,LC=1,DC=2;function NC(i,t,e){for(let n=0,s,r=-1;n<t.length;n++){let o=t[n];if(o>r){for(s=o-1;s>=0&&i[s]==null;)i[s--]=null;for(s=o+1;s<e&&i[s]==null;)i[r=s++]=null}}}function UC(i,t){if(BC(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return zC(o[0])||(o=OC(o)),o}let e=new Set;for(let o=0;o<i.length;o++){let l=i[o][0],c=l.length;for(let h=0;h<c;h++)e.add(l[h])}let n=[Array.from(e).sort((o,a)=>o-a)],s=n[0].length,r=new Map;for(let o=0;o<s;o++)r.set(n[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],l=a[0];for(let c=1;c<a.length;c++){let h=a[c],u=Array(s).fill(void 0),f=t?t[o][c]:LC,d=[];for(let p=0;p<h.length;p++){let x=h[p],m=r.get(l[p]);x===null?f!=IC&&(u[m]=x,f==DC&&d.push(m)):u[m]=x}NC(u,d,s),n.push(u)}}return n}var FC=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function OC(i){let t=i[0],e=t.length,n=Array(e);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,o)=>t[r]-t[o]);let s=[];for(let r=0;r<i.length;r++){let o=i[r],a=Array(e);for(let l=0;l<e;l++)a[l]=o[n[l]];s.push(a)}return s}function BC(i){let t=i[0][0],e=t.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=e)return!1;if(s!=t){for(let r=0;r<e;r++)if(s[r]!=t[r])return!1}}return!0}function zC(i,t=100){let e=i.length;if(e<=1)return!0;let n=0,s=e-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;let r=hi(1,Ti((s-n+1)/t));for(let o=i[n],a=n+r;a<=s;a+=r){let l=i[a];if(l!=null){if(l<=o)return!1;o=l}}return!0}var gv=["January","February","March","April","May","June","July","August","September","October","November","December"],xv=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function _v(i){return i.slice(0,3)}var kC=xv.map(_v),GC=gv.map(_v),VC={MMMM:gv,MMM:GC,WWWW:xv,WWW:kC};function Rl(i){return(i<10?"0":"")+i}function HC(i){return(i<10?"00":i<100?"0":"")+i}var WC={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,t)=>t.MMMM[i.getMonth()],MMM:(i,t)=>t.MMM[i.getMonth()],MM:i=>Rl(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>Rl(i.getDate()),D:i=>i.getDate(),WWWW:(i,t)=>t.WWWW[i.getDay()],WWW:(i,t)=>t.WWW[i.getDay()],HH:i=>Rl(i.getHours()),H:i=>i.getHours(),h:i=>{let t=i.getHours();return t==0?12:t>12?t-12:t},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>Rl(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>Rl(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>HC(i.getMilliseconds())};function Wp(i,t){t=t||VC;let e=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)e.push(s[0][0]=="{"?WC[s[1]]:s[0]);return r=>{let o="";for(let a=0;a<e.length;a++)o+=typeof e[a]=="string"?e[a]:e[a](r,t);return o}}var XC=new Intl.DateTimeFormat().resolvedOptions().timeZone;function qC(i,t){let e;return t=="UTC"||t=="Etc/UTC"?e=new Date(+i+i.getTimezoneOffset()*6e4):t==XC?e=i:(e=new Date(i.toLocaleString("en-US",{timeZone:t})),e.setMilliseconds(i.getMilliseconds())),e}var vv=i=>i%1==0,Zu=[1,2,2.5,5],YC=Ul(10,-32,0,Zu),yv=Ul(10,0,32,Zu),$C=yv.filter(vv),Or=YC.concat(yv),Xp=`
`,bv="{YYYY}",z_=Xp+bv,Mv="{M}/{D}",Ll=Xp+Mv,Wu=Ll+"/{YY}",Sv="{aa}",ZC="{h}:{mm}",ea=ZC+Sv,k_=Xp+ea,G_=":{ss}",Re=null;function wv(i){let t=i*1e3,e=t*60,n=e*60,s=n*24,r=s*30,o=s*365,l=(i==1?Ul(10,0,3,Zu).filter(vv):Ul(10,-3,0,Zu)).concat([t,t*5,t*10,t*15,t*30,e,e*5,e*10,e*15,e*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),c=[[o,bv,Re,Re,Re,Re,Re,Re,1],[s*28,"{MMM}",z_,Re,Re,Re,Re,Re,1],[s,Mv,z_,Re,Re,Re,Re,Re,1],[n,"{h}"+Sv,Wu,Re,Ll,Re,Re,Re,1],[e,ea,Wu,Re,Ll,Re,Re,Re,1],[t,G_,Wu+" "+ea,Re,Ll+" "+ea,Re,k_,Re,1],[i,G_+".{fff}",Wu+" "+ea,Re,Ll+" "+ea,Re,k_,Re,1]];function h(u){return(f,d,p,x,m,g)=>{let b=[],S=m>=o,y=m>=r&&m<o,C=u(p),E=ze(C*i,3),_=wp(C.getFullYear(),S?0:C.getMonth(),y||S?1:C.getDate()),A=ze(_*i,3);if(y||S){let B=y?m/r:0,U=S?m/o:0,N=E==A?E:ze(wp(_.getFullYear()+U,_.getMonth()+B,1)*i,3),k=new Date(Tn(N/i)),W=k.getFullYear(),L=k.getMonth();for(let X=0;N<=x;X++){let Z=wp(W+U*X,L+B*X,1),V=Z-u(ze(Z*i,3));N=ze((+Z+V)*i,3),N<=x&&b.push(N)}}else{let B=m>=s?s:m,U=Ti(p)-Ti(E),N=A+U+ju(E-A,B);b.push(N);let k=u(N),W=k.getHours()+k.getMinutes()/e+k.getSeconds()/n,L=m/n,X=f.axes[d]._space,Z=g/X;for(;N=ze(N+m,i==1?0:3),!(N>x);)if(L>1){let V=Ti(ze(W+L,6))%24,Q=u(N).getHours()-V;Q>1&&(Q=-1),N-=Q*n,W=(W+L)%24;let it=b[b.length-1];ze((N-it)/m,3)*Z>=.7&&b.push(N)}else b.push(N)}return b}}return[l,c,h]}var[JC,KC,jC]=wv(1),[QC,tR,eR]=wv(.001);Ul(2,-53,53,[1]);function V_(i,t){return i.map(e=>e.map((n,s)=>s==0||s==8||n==null?n:t(s==1||e[8]==0?n:e[1]+n)))}function H_(i,t){return(e,n,s,r,o)=>{let a=t.find(p=>o>=p[0])||t[t.length-1],l,c,h,u,f,d;return n.map(p=>{let x=i(p),m=x.getFullYear(),g=x.getMonth(),b=x.getDate(),S=x.getHours(),y=x.getMinutes(),C=x.getSeconds(),E=m!=l&&a[2]||g!=c&&a[3]||b!=h&&a[4]||S!=u&&a[5]||y!=f&&a[6]||C!=d&&a[7]||a[1];return l=m,c=g,h=b,u=S,f=y,d=C,E(x)})}}function nR(i,t){let e=Wp(t);return(n,s,r,o,a)=>s.map(l=>e(i(l)))}function wp(i,t,e){return new Date(i,t,e)}function W_(i,t){return t(i)}var iR="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function X_(i,t){return(e,n,s,r)=>r==null?Bp:t(i(n))}function sR(i,t){let e=i.series[t];return e.width?e.stroke(i,t):e.points.width?e.points.stroke(i,t):null}function rR(i,t){return i.series[t].fill(i,t)}var oR={show:!0,live:!0,isolate:!1,mount:TC,markers:{show:!0,width:2,stroke:sR,fill:rR,dash:"solid"},idx:null,idxs:null,values:[]};function aR(i,t){let e=i.cursor.points,n=Ui(),s=e.size(i,t);Ye(n,Pl,s),Ye(n,Il,s);let r=s/-2;Ye(n,"marginLeft",r),Ye(n,"marginTop",r);let o=e.width(i,t,s);return o&&Ye(n,"borderWidth",o),n}function lR(i,t){let e=i.series[t].points;return e._fill||e._stroke}function cR(i,t){let e=i.series[t].points;return e._stroke||e._fill}function hR(i,t){return i.series[t].points.size}var Tp=[0,0];function uR(i,t,e){return Tp[0]=t,Tp[1]=e,Tp}function Xu(i,t,e,n=!0){return s=>{s.button==0&&(!n||s.target==t)&&e(s)}}function Ap(i,t,e,n=!0){return s=>{(!n||s.target==t)&&e(s)}}var fR={show:!0,x:!0,y:!0,lock:!1,move:uR,points:{one:!1,show:aR,size:hR,width:0,stroke:cR,fill:lR},bind:{mousedown:Xu,mouseup:Xu,click:Xu,dblclick:Xu,mousemove:Ap,mouseleave:Ap,mouseenter:Ap},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,t,e,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Tv={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},qp=vn({},Tv,{filter:uv}),Av=vn({},qp,{size:10}),Ev=vn({},Tv,{show:!1}),Yp='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Cv="bold "+Yp,Rv=1.5,q_={show:!0,scale:"x",stroke:Op,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Cv,side:2,grid:qp,ticks:Av,border:Ev,font:Yp,lineGap:Rv,rotate:0},dR="Value",pR="Time",Y_={show:!0,scale:"x",auto:!1,sorted:1,min:Be,max:-Be,idxs:[]};function mR(i,t,e,n,s){return t.map(r=>r==null?"":Vp(r))}function gR(i,t,e,n,s,r,o){let a=[],l=pr.get(s)||0;e=o?e:ze(ju(e,s),l);for(let c=e;c<=n;c=ze(c+s,l))a.push(Object.is(c,-0)?0:c);return a}function Lp(i,t,e,n,s,r,o){let a=[],l=i.scales[i.axes[t].scale].log,c=l==10?ks:lv,h=Ti(c(e));s=ia(l,h),l==10&&(s=Or[ji(s,Or)]);let u=e,f=s*l;l==10&&(f=Or[ji(f,Or)]);do a.push(u),u=u+s,l==10&&!pr.has(u)&&(u=ze(u,pr.get(s))),u>=f&&(s=u,f=s*l,l==10&&(f=Or[ji(f,Or)]));while(u<=n);return a}function xR(i,t,e,n,s,r,o){let l=i.scales[i.axes[t].scale].asinh,c=n>l?Lp(i,t,hi(l,e),n,s):[l],h=n>=0&&e<=0?[0]:[];return(e<-l?Lp(i,t,hi(l,-n),-e,s):[l]).reverse().map(f=>-f).concat(h,c)}var Pv=/./,_R=/[12357]/,vR=/[125]/,$_=/1/,Dp=(i,t,e,n)=>i.map((s,r)=>t==4&&s==0||r%n==0&&e.test(s.toExponential()[s<0?1:0])?s:null);function yR(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=i.scales[o],l=i.valToPos,c=r._space,h=l(10,o),u=l(9,o)-h>=c?Pv:l(7,o)-h>=c?_R:l(5,o)-h>=c?vR:$_;if(u==$_){let f=An(l(1,o)-h);if(f<c)return Dp(t.slice().reverse(),a.distr,u,Fi(c/f)).reverse()}return Dp(t,a.distr,u,1)}function bR(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=r._space,l=i.valToPos,c=An(l(1,o)-l(2,o));return c<a?Dp(t.slice().reverse(),3,Pv,Fi(a/c)).reverse():t}function MR(i,t,e,n){return n==null?Bp:t==null?"":Vp(t)}var Z_={show:!0,scale:"y",stroke:Op,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Cv,side:3,grid:qp,ticks:Av,border:Ev,font:Yp,lineGap:Rv,rotate:0};function SR(i,t){let e=3+(i||1)*2;return ze(e*t,3)}function wR(i,t){let{scale:e,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],e,!0),o=i.valToPos(s[n[1]],e,!0),a=An(o-r),l=i.series[t],c=a/(l.points.space*Ee);return n[1]-n[0]<=c}var J_={scale:null,auto:!0,sorted:0,min:Be,max:-Be},Iv=(i,t,e,n,s)=>s,K_={show:!0,auto:!0,sorted:0,gaps:Iv,alpha:1,facets:[vn({},J_,{scale:"x"}),vn({},J_,{scale:"y"})]},j_={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:Iv,alpha:1,points:{show:wR,filter:null},values:null,min:Be,max:-Be,idxs:[],path:null,clip:null};function TR(i,t,e,n,s){return e/10}var Lv={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},AR=vn({},Lv,{time:!1,ori:1}),Q_={};function Dv(i,t){let e=Q_[i];return e||(e={key:i,plots:[],sub(n){e.plots.push(n)},unsub(n){e.plots=e.plots.filter(s=>s!=n)},pub(n,s,r,o,a,l,c){for(let h=0;h<e.plots.length;h++)e.plots[h]!=s&&e.plots[h].pub(n,s,r,o,a,l,c)}},i!=null&&(Q_[i]=e)),e}var oa=1,Np=2;function Gr(i,t,e){let n=i.mode,s=i.series[t],r=n==2?i._data[t]:i._data,o=i.scales,a=i.bbox,l=r[0],c=n==2?r[1]:r[t],h=n==2?o[s.facets[0].scale]:o[i.series[0].scale],u=n==2?o[s.facets[1].scale]:o[s.scale],f=a.left,d=a.top,p=a.width,x=a.height,m=i.valToPosH,g=i.valToPosV;return h.ori==0?e(s,l,c,h,u,m,g,f,d,p,x,ef,la,sf,Uv,Ov):e(s,l,c,h,u,g,m,d,f,x,p,nf,ca,Jp,Fv,Bv)}function $p(i,t){let e=0,n=0,s=we(i.bands,Hp);for(let r=0;r<s.length;r++){let o=s[r];o.series[0]==t?e=o.dir:o.series[1]==t&&(o.dir==1?n|=1:n|=2)}return[e,n==1?-1:n==2?1:n==3?2:0]}function ER(i,t,e,n,s){let r=i.mode,o=i.series[t],a=r==2?o.facets[1].scale:o.scale,l=i.scales[a];return s==-1?l.min:s==1?l.max:l.distr==3?l.dir==1?l.min:l.max:0}function Gs(i,t,e,n,s,r){return Gr(i,t,(o,a,l,c,h,u,f,d,p,x,m)=>{let g=o.pxRound,b=c.dir*(c.ori==0?1:-1),S=c.ori==0?la:ca,y,C;b==1?(y=e,C=n):(y=n,C=e);let E=g(u(a[y],c,x,d)),_=g(f(l[y],h,m,p)),A=g(u(a[C],c,x,d)),B=g(f(r==1?h.max:h.min,h,m,p)),U=new Path2D(s);return S(U,A,B),S(U,E,B),S(U,E,_),U})}function tf(i,t,e,n,s,r){let o=null;if(i.length>0){o=new Path2D;let a=t==0?sf:Jp,l=e;for(let u=0;u<i.length;u++){let f=i[u];if(f[1]>f[0]){let d=f[0]-l;d>0&&a(o,l,n,d,n+r),l=f[1]}}let c=e+s-l,h=10;c>0&&a(o,l,n-h/2,c,n+r+h)}return o}function CR(i,t,e){let n=i[i.length-1];n&&n[0]==t?n[1]=e:i.push([t,e])}function Zp(i,t,e,n,s,r,o){let a=[],l=i.length;for(let c=s==1?e:n;c>=e&&c<=n;c+=s)if(t[c]===null){let u=c,f=c;if(s==1)for(;++c<=n&&t[c]===null;)f=c;else for(;--c>=e&&t[c]===null;)f=c;let d=r(i[u]),p=f==u?d:r(i[f]),x=u-s;d=o<=0&&x>=0&&x<l?r(i[x]):d;let g=f+s;p=o>=0&&g>=0&&g<l?r(i[g]):p,p>=d&&a.push([d,p])}return a}function tv(i){return i==0?hv:i==1?Tn:t=>Fr(t,i)}function Nv(i){let t=i==0?ef:nf,e=i==0?(s,r,o,a,l,c)=>{s.arcTo(r,o,a,l,c)}:(s,r,o,a,l,c)=>{s.arcTo(o,r,l,a,c)},n=i==0?(s,r,o,a,l)=>{s.rect(r,o,a,l)}:(s,r,o,a,l)=>{s.rect(o,r,l,a)};return(s,r,o,a,l,c=0,h=0)=>{c==0&&h==0?n(s,r,o,a,l):(c=Qi(c,a/2,l/2),h=Qi(h,a/2,l/2),t(s,r+c,o),e(s,r+a,o,r+a,o+l,c),e(s,r+a,o+l,r,o+l,h),e(s,r,o+l,r,o,h),e(s,r,o,r+a,o,c),s.closePath())}}var ef=(i,t,e)=>{i.moveTo(t,e)},nf=(i,t,e)=>{i.moveTo(e,t)},la=(i,t,e)=>{i.lineTo(t,e)},ca=(i,t,e)=>{i.lineTo(e,t)},sf=Nv(0),Jp=Nv(1),Uv=(i,t,e,n,s,r)=>{i.arc(t,e,n,s,r)},Fv=(i,t,e,n,s,r)=>{i.arc(e,t,n,s,r)},Ov=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(t,e,n,s,r,o)},Bv=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(e,t,s,n,o,r)};function zv(i){return(t,e,n,s,r)=>Gr(t,e,(o,a,l,c,h,u,f,d,p,x,m)=>{let{pxRound:g,points:b}=o,S,y;c.ori==0?(S=ef,y=Uv):(S=nf,y=Fv);let C=ze(b.width*Ee,3),E=(b.size-b.width)/2*Ee,_=ze(E*2,3),A=new Path2D,B=new Path2D,{left:U,top:N,width:k,height:W}=t.bbox;sf(B,U-_,N-_,k+_*2,W+_*2);let L=X=>{if(l[X]!=null){let Z=g(u(a[X],c,x,d)),V=g(f(l[X],h,m,p));S(A,Z+E,V),y(A,Z,V,E,0,qu*2)}};if(r)r.forEach(L);else for(let X=n;X<=s;X++)L(X);return{stroke:C>0?A:null,fill:A,clip:B,flags:oa|Np}})}function kv(i){return(t,e,n,s,r,o)=>{n!=s&&(r!=n&&o!=n&&i(t,e,n),r!=s&&o!=s&&i(t,e,s),i(t,e,o))}}var RR=kv(la),PR=kv(ca);function Gv(i){let t=we(i?.alignGaps,0);return(e,n,s,r)=>Gr(e,n,(o,a,l,c,h,u,f,d,p,x,m)=>{[s,r]=Ju(l,s,r);let g=o.pxRound,b=W=>g(u(W,c,x,d)),S=W=>g(f(W,h,m,p)),y,C;c.ori==0?(y=la,C=RR):(y=ca,C=PR);let E=c.dir*(c.ori==0?1:-1),_={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:oa},A=_.stroke,B=!1;if(r-s>=x*4){let W=ut=>e.posToVal(ut,c.key,!0),L=null,X=null,Z,V,lt,Y=b(a[E==1?s:r]),Q=b(a[s]),it=b(a[r]),ft=W(E==1?Q+1:it-1);for(let ut=E==1?s:r;ut>=s&&ut<=r;ut+=E){let tt=a[ut],_t=(E==1?tt<ft:tt>ft)?Y:b(tt),Et=l[ut];_t==Y?Et!=null?(V=Et,L==null?(y(A,_t,S(V)),Z=L=X=V):V<L?L=V:V>X&&(X=V)):Et===null&&(B=!0):(L!=null&&C(A,Y,S(L),S(X),S(Z),S(V)),Et!=null?(V=Et,y(A,_t,S(V)),L=X=Z=V):(L=X=null,Et===null&&(B=!0)),Y=_t,ft=W(Y+E))}L!=null&&L!=X&&lt!=Y&&C(A,Y,S(L),S(X),S(Z),S(V))}else for(let W=E==1?s:r;W>=s&&W<=r;W+=E){let L=l[W];L===null?B=!0:L!=null&&y(A,b(a[W]),S(L))}let[N,k]=$p(e,n);if(o.fill!=null||N!=0){let W=_.fill=new Path2D(A),L=o.fillTo(e,n,o.min,o.max,N),X=S(L),Z=b(a[s]),V=b(a[r]);E==-1&&([V,Z]=[Z,V]),y(W,V,X),y(W,Z,X)}if(!o.spanGaps){let W=[];B&&W.push(...Zp(a,l,s,r,E,b,t)),_.gaps=W=o.gaps(e,n,s,r,W),_.clip=tf(W,c.ori,d,p,x,m)}return k!=0&&(_.band=k==2?[Gs(e,n,s,r,A,-1),Gs(e,n,s,r,A,1)]:Gs(e,n,s,r,A,k)),_})}function IR(i){let t=we(i.align,1),e=we(i.ascDesc,!1),n=we(i.alignGaps,0),s=we(i.extend,!1);return(r,o,a,l)=>Gr(r,o,(c,h,u,f,d,p,x,m,g,b,S)=>{[a,l]=Ju(u,a,l);let y=c.pxRound,{left:C,width:E}=r.bbox,_=Q=>y(p(Q,f,b,m)),A=Q=>y(x(Q,d,S,g)),B=f.ori==0?la:ca,U={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:oa},N=U.stroke,k=f.dir*(f.ori==0?1:-1),W=A(u[k==1?a:l]),L=_(h[k==1?a:l]),X=L,Z=L;s&&t==-1&&(Z=C,B(N,Z,W)),B(N,L,W);for(let Q=k==1?a:l;Q>=a&&Q<=l;Q+=k){let it=u[Q];if(it==null)continue;let ft=_(h[Q]),ut=A(it);t==1?B(N,ft,W):B(N,X,ut),B(N,ft,ut),W=ut,X=ft}let V=X;s&&t==1&&(V=C+E,B(N,V,W));let[lt,Y]=$p(r,o);if(c.fill!=null||lt!=0){let Q=U.fill=new Path2D(N),it=c.fillTo(r,o,c.min,c.max,lt),ft=A(it);B(Q,V,ft),B(Q,Z,ft)}if(!c.spanGaps){let Q=[];Q.push(...Zp(h,u,a,l,k,_,n));let it=c.width*Ee/2,ft=e||t==1?it:-it,ut=e||t==-1?-it:it;Q.forEach(tt=>{tt[0]+=ft,tt[1]+=ut}),U.gaps=Q=c.gaps(r,o,a,l,Q),U.clip=tf(Q,f.ori,m,g,b,S)}return Y!=0&&(U.band=Y==2?[Gs(r,o,a,l,N,-1),Gs(r,o,a,l,N,1)]:Gs(r,o,a,l,N,Y)),U})}function ev(i,t,e,n,s,r,o=Be){if(i.length>1){let a=null;for(let l=0,c=1/0;l<i.length;l++)if(t[l]!==void 0){if(a!=null){let h=An(i[l]-i[a]);h<c&&(c=h,o=An(e(i[l],n,s,r)-e(i[a],n,s,r)))}a=l}}return o}function LR(i){i=i||Nl;let t=we(i.size,[.6,Be,1]),e=i.align||0,n=i.gap||0,s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let r=ye(s),o=1-t[0],a=we(t[1],Be),l=we(t[2],1),c=we(i.disp,Nl),h=we(i.each,d=>{}),{fill:u,stroke:f}=c;return(d,p,x,m)=>Gr(d,p,(g,b,S,y,C,E,_,A,B,U,N)=>{let k=g.pxRound,W=e,L=n*Ee,X=a*Ee,Z=l*Ee,V,lt;y.ori==0?[V,lt]=r(d,p):[lt,V]=r(d,p);let Y=y.dir*(y.ori==0?1:-1),Q=y.ori==0?sf:Jp,it=y.ori==0?h:(Rt,Yt,re,St,Oe,kt,Xt)=>{h(Rt,Yt,re,Oe,St,Xt,kt)},ft=we(d.bands,Hp).find(Rt=>Rt.series[0]==p),ut=ft!=null?ft.dir:0,tt=g.fillTo(d,p,g.min,g.max,ut),mt=k(_(tt,C,N,B)),_t,Et,Mt,Ht=U,se=k(g.width*Ee),Gt=!1,fe=null,ce=null,ne=null,$e=null;u!=null&&(se==0||f!=null)&&(Gt=!0,fe=u.values(d,p,x,m),ce=new Map,new Set(fe).forEach(Rt=>{Rt!=null&&ce.set(Rt,new Path2D)}),se>0&&(ne=f.values(d,p,x,m),$e=new Map,new Set(ne).forEach(Rt=>{Rt!=null&&$e.set(Rt,new Path2D)})));let{x0:ke,size:cn}=c;if(ke!=null&&cn!=null){W=1,b=ke.values(d,p,x,m),ke.unit==2&&(b=b.map(re=>d.posToVal(A+re*U,y.key,!0)));let Rt=cn.values(d,p,x,m);cn.unit==2?Et=Rt[0]*U:Et=E(Rt[0],y,U,A)-E(0,y,U,A),Ht=ev(b,S,E,y,U,A,Ht),Mt=Ht-Et+L}else Ht=ev(b,S,E,y,U,A,Ht),Mt=Ht*o+L,Et=Ht-Mt;Mt<1&&(Mt=0),se>=Et/2&&(se=0),Mt<5&&(k=hv);let Ne=Mt>0,En=Ht-Mt-(Ne?se:0);Et=k(Ip(En,Z,X)),_t=(W==0?Et/2:W==Y?0:Et)-W*Y*((W==0?L/2:0)+(Ne?se/2:0));let be={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},yn=Gt?null:new Path2D,Ke=null;if(ft!=null)Ke=d.data[ft.series[1]];else{let{y0:Rt,y1:Yt}=c;Rt!=null&&Yt!=null&&(S=Yt.values(d,p,x,m),Ke=Rt.values(d,p,x,m))}let hn=V*Et,O=lt*Et;for(let Rt=Y==1?x:m;Rt>=x&&Rt<=m;Rt+=Y){let Yt=S[Rt];if(Yt==null)continue;if(Ke!=null){let q=Ke[Rt]??0;if(Yt-q==0)continue;mt=_(q,C,N,B)}let re=y.distr!=2||c!=null?b[Rt]:Rt,St=E(re,y,U,A),Oe=_(we(Yt,tt),C,N,B),kt=k(St-_t),Xt=k(hi(Oe,mt)),R=k(Qi(Oe,mt)),M=Xt-R;if(Yt!=null){let q=Yt<0?O:hn,ht=Yt<0?hn:O;Gt?(se>0&&ne[Rt]!=null&&Q($e.get(ne[Rt]),kt,R+Ti(se/2),Et,hi(0,M-se),q,ht),fe[Rt]!=null&&Q(ce.get(fe[Rt]),kt,R+Ti(se/2),Et,hi(0,M-se),q,ht)):Q(yn,kt,R+Ti(se/2),Et,hi(0,M-se),q,ht),it(d,p,Rt,kt-se/2,R,Et+se,M)}}return se>0?be.stroke=Gt?$e:yn:Gt||(be._fill=g.width==0?g._fill:g._stroke??g._fill,be.width=0),be.fill=Gt?ce:yn,be})}function DR(i,t){let e=we(t?.alignGaps,0);return(n,s,r,o)=>Gr(n,s,(a,l,c,h,u,f,d,p,x,m,g)=>{[r,o]=Ju(c,r,o);let b=a.pxRound,S=V=>b(f(V,h,m,p)),y=V=>b(d(V,u,g,x)),C,E,_;h.ori==0?(C=ef,_=la,E=Ov):(C=nf,_=ca,E=Bv);let A=h.dir*(h.ori==0?1:-1),B=S(l[A==1?r:o]),U=B,N=[],k=[];for(let V=A==1?r:o;V>=r&&V<=o;V+=A)if(c[V]!=null){let Y=l[V],Q=S(Y);N.push(U=Q),k.push(y(c[V]))}let W={stroke:i(N,k,C,_,E,b),fill:null,clip:null,band:null,gaps:null,flags:oa},L=W.stroke,[X,Z]=$p(n,s);if(a.fill!=null||X!=0){let V=W.fill=new Path2D(L),lt=a.fillTo(n,s,a.min,a.max,X),Y=y(lt);_(V,U,Y),_(V,B,Y)}if(!a.spanGaps){let V=[];V.push(...Zp(l,c,r,o,A,S,e)),W.gaps=V=a.gaps(n,s,r,o,V),W.clip=tf(V,h.ori,p,x,m,g)}return Z!=0&&(W.band=Z==2?[Gs(n,s,r,o,L,-1),Gs(n,s,r,o,L,1)]:Gs(n,s,r,o,L,Z)),W})}function NR(i){return DR(UR,i)}function UR(i,t,e,n,s,r){let o=i.length;if(o<2)return null;let a=new Path2D;if(e(a,i[0],t[0]),o==2)n(a,i[1],t[1]);else{let l=Array(o),c=Array(o-1),h=Array(o-1),u=Array(o-1);for(let f=0;f<o-1;f++)h[f]=t[f+1]-t[f],u[f]=i[f+1]-i[f],c[f]=h[f]/u[f];l[0]=c[0];for(let f=1;f<o-1;f++)c[f]===0||c[f-1]===0||c[f-1]>0!=c[f]>0?l[f]=0:(l[f]=3*(u[f-1]+u[f])/((2*u[f]+u[f-1])/c[f-1]+(u[f]+2*u[f-1])/c[f]),isFinite(l[f])||(l[f]=0));l[o-1]=c[o-2];for(let f=0;f<o-1;f++)s(a,i[f]+u[f]/3,t[f]+l[f]*u[f]/3,i[f+1]-u[f]/3,t[f+1]-l[f+1]*u[f]/3,i[f+1],t[f+1])}return a}var Up=new Set;function nv(){for(let i of Up)i.syncRect(!0)}aa&&(zr(mC,na,nv),zr(gC,na,nv,!0),zr(Yu,na,()=>{Wn.pxRatio=Ee}));var FR=Gv(),OR=zv();function iv(i,t,e,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,o)=>Fp(r,o,t,e))}function BR(i,t){return i.map((e,n)=>n==0?{}:vn({},t,e))}function Fp(i,t,e,n){return vn({},t==0?e:n,i)}function Vv(i,t,e){return t==null?sa:[t,e]}var zR=Vv;function kR(i,t,e){return t==null?sa:$u(t,e,Gp,!0)}function Hv(i,t,e,n){return t==null?sa:Ku(t,e,i.scales[n].log,!1)}var GR=Hv;function Wv(i,t,e,n){return t==null?sa:kp(t,e,i.scales[n].log,!1)}var VR=Wv;function HR(i,t,e,n,s){let r=hi(U_(i),U_(t)),o=t-i,a=ji(s/n*o,e);do{let l=e[a],c=n*l/o;if(c>=s&&r+(l<5?pr.get(l):0)<=17)return[l,c]}while(++a<e.length);return[0,0]}function sv(i){let t,e;return i=i.replace(/(\d+)px/,(n,s)=>(t=Tn((e=+s)*Ee))+"px"),[i,t,e]}function WR(i){i.show&&[i.font,i.labelFont].forEach(t=>{let e=ze(t[2]*Ee,1);t[0]=t[0].replace(/[0-9.]+px/,e+"px"),t[1]=e})}function Wn(i,t,e){let n={mode:we(i.mode,1)},s=n.mode;function r(v,w,P,D){let H=w.valToPct(v);return D+P*(w.dir==-1?1-H:H)}function o(v,w,P,D){let H=w.valToPct(v);return D+P*(w.dir==-1?H:1-H)}function a(v,w,P,D){return w.ori==0?r(v,w,P,D):o(v,w,P,D)}n.valToPosH=r,n.valToPosV=o;let l=!1;n.status=0;let c=n.root=Ui(KE);if(i.id!=null&&(c.id=i.id),wi(c,i.class),i.title){let v=Ui(tC,c);v.textContent=i.title}let h=Ki("canvas"),u=n.ctx=h.getContext("2d"),f=Ui(eC,c);zr("click",f,v=>{v.target===p&&(He!=$r||Ze!=Zr)&&Bn.click(n,v)},!0);let d=n.under=Ui(nC,f);f.appendChild(h);let p=n.over=Ui(iC,f);i=ra(i);let x=+we(i.pxAlign,1),m=tv(x);(i.plugins||[]).forEach(v=>{v.opts&&(i=v.opts(n,i)||i)});let g=i.ms||.001,b=n.series=s==1?iv(i.series||[],Y_,j_,!1):BR(i.series||[null],K_),S=n.axes=iv(i.axes||[],q_,Z_,!0),y=n.scales={},C=n.bands=i.bands||[];C.forEach(v=>{v.fill=ye(v.fill||null),v.dir=we(v.dir,-1)});let E=s==2?b[1].facets[0].scale:b[0].scale,_={axes:bs,series:pe},A=(i.drawOrder||["axes","series"]).map(v=>_[v]);function B(v){let w=v.distr==3?P=>ks(P>0?P:v.clamp(n,P,v.min,v.max,v.key)):v.distr==4?P=>Sp(P,v.asinh):v.distr==100?P=>v.fwd(P):P=>P;return P=>{let D=w(P),{_min:H,_max:K}=v,at=K-H;return(D-H)/at}}function U(v){let w=y[v];if(w==null){let P=(i.scales||Nl)[v]||Nl;if(P.from!=null){U(P.from);let D=vn({},y[P.from],P,{key:v});D.valToPct=B(D),y[v]=D}else{w=y[v]=vn({},v==E?Lv:AR,P),w.key=v;let D=w.time,H=w.range,K=dr(H);if((v!=E||s==2&&!D)&&(K&&(H[0]==null||H[1]==null)&&(H={min:H[0]==null?L_:{mode:1,hard:H[0],soft:H[0]},max:H[1]==null?L_:{mode:1,hard:H[1],soft:H[1]}},K=!1),!K&&Qu(H))){let at=H;H=(dt,yt,Dt)=>yt==null?sa:$u(yt,Dt,at)}w.range=ye(H||(D?zR:v==E?w.distr==3?GR:w.distr==4?VR:Vv:w.distr==3?Hv:w.distr==4?Wv:kR)),w.auto=ye(K?!1:w.auto),w.clamp=ye(w.clamp||TR),w._min=w._max=null,w.valToPct=B(w)}}}U("x"),U("y"),s==1&&b.forEach(v=>{U(v.scale)}),S.forEach(v=>{U(v.scale)});for(let v in i.scales)U(v);let N=y[E],k=N.distr,W,L;N.ori==0?(wi(c,jE),W=r,L=o):(wi(c,QE),W=o,L=r);let X={};for(let v in y){let w=y[v];(w.min!=null||w.max!=null)&&(X[v]={min:w.min,max:w.max},w.min=w.max=null)}let Z=i.tzDate||(v=>new Date(Tn(v/g))),V=i.fmtDate||Wp,lt=g==1?jC(Z):eR(Z),Y=H_(Z,V_(g==1?KC:tR,V)),Q=X_(Z,W_(iR,V)),it=[],ft=n.legend=vn({},oR,i.legend),ut=n.cursor=vn({},fR,{drag:{y:s==2}},i.cursor),tt=ft.show,mt=ut.show,_t=ft.markers;ft.idxs=it,_t.width=ye(_t.width),_t.dash=ye(_t.dash),_t.stroke=ye(_t.stroke),_t.fill=ye(_t.fill);let Et,Mt,Ht,se=[],Gt=[],fe,ce=!1,ne={};if(ft.live){let v=b[1]?b[1].values:null;ce=v!=null,fe=ce?v(n,1,0):{_:0};for(let w in fe)ne[w]=Bp}if(tt)if(Et=Ki("table",cC,c),Ht=Ki("tbody",null,Et),ft.mount(n,Et),ce){Mt=Ki("thead",null,Et,Ht);let v=Ki("tr",null,Mt);Ki("th",null,v);for(var $e in fe)Ki("th",v_,v).textContent=$e}else wi(Et,uC),ft.live&&wi(Et,hC);let ke={show:!0},cn={show:!1};function Ne(v,w){if(w==0&&(ce||!ft.live||s==2))return sa;let P=[],D=Ki("tr",fC,Ht,Ht.childNodes[w]);wi(D,v.class),v.show||wi(D,Br);let H=Ki("th",null,D);if(_t.show){let dt=Ui(dC,H);if(w>0){let yt=_t.width(n,w);yt&&(dt.style.border=yt+"px "+_t.dash(n,w)+" "+_t.stroke(n,w)),dt.style.background=_t.fill(n,w)}}let K=Ui(v_,H);v.label instanceof HTMLElement?K.appendChild(v.label):K.textContent=v.label,w>0&&(_t.show||(K.style.color=v.width>0?_t.stroke(n,w):_t.fill(n,w)),be("click",H,dt=>{if(ut._lock)return;Jt(dt);let yt=b.indexOf(v);if((dt.ctrlKey||dt.metaKey)!=ft.isolate){let Dt=b.some((Nt,Ft)=>Ft>0&&Ft!=yt&&Nt.show);b.forEach((Nt,Ft)=>{Ft>0&&is(Ft,Dt?Ft==yt?ke:cn:ke,!0,pn.setSeries)})}else is(yt,{show:!v.show},!0,pn.setSeries)},!1),Kt&&be(S_,H,dt=>{ut._lock||(Jt(dt),is(b.indexOf(v),Kr,!0,pn.setSeries))},!1));for(var at in fe){let dt=Ki("td",pC,D);dt.textContent="--",P.push(dt)}return[D,P]}let En=new Map;function be(v,w,P,D=!0){let H=En.get(w)||{},K=ut.bind[v](n,w,P,D);K&&(zr(v,w,H[v]=K),En.set(w,H))}function yn(v,w,P){let D=En.get(w)||{};for(let H in D)(v==null||H==v)&&(Pp(H,w,D[H]),delete D[H]);v==null&&En.delete(w)}let Ke=0,hn=0,O=0,Rt=0,Yt=0,re=0,St=Yt,Oe=re,kt=O,Xt=Rt,R=0,M=0,q=0,ht=0;n.bbox={};let ot=!1,xt=!1,vt=!1,et=!1,st=!1,pt=!1;function F(v,w,P){(P||v!=n.width||w!=n.height)&&rt(v,w),he(!1),vt=!0,xt=!0,Xn()}function rt(v,w){n.width=Ke=O=v,n.height=hn=Rt=w,Yt=re=0,bt(),Vt();let P=n.bbox;R=P.left=Fr(Yt*Ee,.5),M=P.top=Fr(re*Ee,.5),q=P.width=Fr(O*Ee,.5),ht=P.height=Fr(Rt*Ee,.5)}let nt=3;function wt(){let v=!1,w=0;for(;!v;){w++;let P=Xr(w),D=ns(w);v=w==nt||P&&D,v||(rt(n.width,n.height),xt=!0)}}function gt({width:v,height:w}){F(v,w)}n.setSize=gt;function bt(){let v=!1,w=!1,P=!1,D=!1;S.forEach((H,K)=>{if(H.show&&H._show){let{side:at,_size:dt}=H,yt=at%2,Dt=H.label!=null?H.labelSize:0,Nt=dt+Dt;Nt>0&&(yt?(O-=Nt,at==3?(Yt+=Nt,D=!0):P=!0):(Rt-=Nt,at==0?(re+=Nt,v=!0):w=!0))}}),ts[0]=v,ts[1]=P,ts[2]=w,ts[3]=D,O-=Oi[1]+Oi[3],Yt+=Oi[3],Rt-=Oi[2]+Oi[0],re+=Oi[0]}function Vt(){let v=Yt+O,w=re+Rt,P=Yt,D=re;function H(K,at){switch(K){case 1:return v+=at,v-at;case 2:return w+=at,w-at;case 3:return P-=at,P+at;case 0:return D-=at,D+at}}S.forEach((K,at)=>{if(K.show&&K._show){let dt=K.side;K._pos=H(dt,K._size),K.label!=null&&(K._lpos=H(dt,K.labelSize))}})}if(ut.dataIdx==null){let v=ut.hover,w=v.skip=new Set(v.skip??[]);w.add(void 0);let P=v.prox=ye(v.prox),D=v.bias??(v.bias=0);ut.dataIdx=(H,K,at,dt)=>{if(K==0)return at;let yt=at,Dt=P(H,K,at,dt)??Be,Nt=Dt>=0&&Dt<Be,Ft=N.ori==0?O:Rt,ie=ut.left,Te=t[0],Se=t[K];if(w.has(Se[at])){yt=null;let me=null,$t=null,Wt;if(D==0||D==-1)for(Wt=at;me==null&&Wt-- >0;)w.has(Se[Wt])||(me=Wt);if(D==0||D==1)for(Wt=at;$t==null&&Wt++<Se.length;)w.has(Se[Wt])||($t=Wt);if(me!=null||$t!=null)if(Nt){let Xe=me==null?-1/0:W(Te[me],N,Ft,0),tn=$t==null?1/0:W(Te[$t],N,Ft,0),In=ie-Xe,Ue=tn-ie;In<=Ue?In<=Dt&&(yt=me):Ue<=Dt&&(yt=$t)}else yt=$t==null?me:me==null?$t:at-me<=$t-at?me:$t}else Nt&&An(ie-W(Te[at],N,Ft,0))>Dt&&(yt=null);return yt}}let Jt=v=>{ut.event=v};ut.idxs=it,ut._lock=!1;let ct=ut.points;ct.show=ye(ct.show),ct.size=ye(ct.size),ct.stroke=ye(ct.stroke),ct.width=ye(ct.width),ct.fill=ye(ct.fill);let Ot=n.focus=vn({},i.focus||{alpha:.3},ut.focus),Kt=Ot.prox>=0,Ct=Kt&&ct.one,ae=[],Ve=[],Kn=[];function ha(v,w){let P=ct.show(n,w);if(P instanceof HTMLElement)return wi(P,lC),wi(P,v.class),xs(P,-10,-10,O,Rt),p.insertBefore(P,ae[w]),P}function Vr(v,w){if(s==1||w>0){let P=s==1&&y[v.scale].time,D=v.value;v.value=P?B_(D)?X_(Z,W_(D,V)):D||Q:D||MR,v.label=v.label||(P?pR:dR)}if(Ct||w>0){v.width=v.width==null?1:v.width,v.paths=v.paths||FR||AC,v.fillTo=ye(v.fillTo||ER),v.pxAlign=+we(v.pxAlign,x),v.pxRound=tv(v.pxAlign),v.stroke=ye(v.stroke||null),v.fill=ye(v.fill||null),v._stroke=v._fill=v._paths=v._focus=null;let P=SR(hi(1,v.width),1),D=v.points=vn({},{size:P,width:hi(1,P*.2),stroke:v.stroke,space:P*2,paths:OR,_stroke:null,_fill:null},v.points);D.show=ye(D.show),D.filter=ye(D.filter),D.fill=ye(D.fill),D.stroke=ye(D.stroke),D.paths=ye(D.paths),D.pxAlign=v.pxAlign}if(tt){let P=Ne(v,w);se.splice(w,0,P[0]),Gt.splice(w,0,P[1]),ft.values.push(null)}if(mt){it.splice(w,0,null);let P=null;Ct?w==0&&(P=ha(v,w)):w>0&&(P=ha(v,w)),ae.splice(w,0,P),Ve.splice(w,0,0),Kn.splice(w,0,0)}Pn("addSeries",w)}function hf(v,w){w=w??b.length,v=s==1?Fp(v,w,Y_,j_):Fp(v,w,{},K_),b.splice(w,0,v),Vr(b[w],w)}n.addSeries=hf;function Bl(v){if(b.splice(v,1),tt){ft.values.splice(v,1),Gt.splice(v,1);let w=se.splice(v,1)[0];yn(null,w.firstChild),w.remove()}mt&&(it.splice(v,1),ae.splice(v,1)[0].remove(),Ve.splice(v,1),Kn.splice(v,1)),Pn("delSeries",v)}n.delSeries=Bl;let ts=[!1,!1,!1,!1];function _s(v,w){if(v._show=v.show,v.show){let P=v.side%2,D=y[v.scale];D==null&&(v.scale=P?b[1].scale:E,D=y[v.scale]);let H=D.time;v.size=ye(v.size),v.space=ye(v.space),v.rotate=ye(v.rotate),dr(v.incrs)&&v.incrs.forEach(at=>{!pr.has(at)&&pr.set(at,dv(at))}),v.incrs=ye(v.incrs||(D.distr==2?$C:H?g==1?JC:QC:Or)),v.splits=ye(v.splits||(H&&D.distr==1?lt:D.distr==3?Lp:D.distr==4?xR:gR)),v.stroke=ye(v.stroke),v.grid.stroke=ye(v.grid.stroke),v.ticks.stroke=ye(v.ticks.stroke),v.border.stroke=ye(v.border.stroke);let K=v.values;v.values=dr(K)&&!dr(K[0])?ye(K):H?dr(K)?H_(Z,V_(K,V)):B_(K)?nR(Z,K):K||Y:K||mR,v.filter=ye(v.filter||(D.distr>=3&&D.log==10?yR:D.distr==3&&D.log==2?bR:uv)),v.font=sv(v.font),v.labelFont=sv(v.labelFont),v._size=v.size(n,null,w,0),v._space=v._rotate=v._incrs=v._found=v._splits=v._values=null,v._size>0&&(ts[w]=!0,v._el=Ui(sC,f))}}function vs(v,w,P,D){let[H,K,at,dt]=P,yt=w%2,Dt=0;return yt==0&&(dt||K)&&(Dt=w==0&&!H||w==2&&!at?Tn(q_.size/3):0),yt==1&&(H||at)&&(Dt=w==1&&!K||w==3&&!dt?Tn(Z_.size/2):0),Dt}let ua=n.padding=(i.padding||[vs,vs,vs,vs]).map(v=>ye(we(v,vs))),Oi=n._padding=ua.map((v,w)=>v(n,w,ts,0)),je,sn=null,rn=null,es=s==1?b[0].idxs:null,pi=null,Hs=!1;function fa(v,w){if(t=v??[],n.data=n._data=t,s==2){je=0;for(let P=1;P<b.length;P++)je+=t[P][0].length}else{t.length==0&&(n.data=n._data=t=[[]]),pi=t[0],je=pi.length;let P=t;if(k==2){P=t.slice();let D=P[0]=Array(je);for(let H=0;H<je;H++)D[H]=H}n._data=t=P}if(he(!0),Pn("setData"),k==2&&(vt=!0),w!==!1){let P=N;P.auto(n,Hs)?da():qs(E,P.min,P.max),et=et||ut.left>=0,pt=!0,Xn()}}n.setData=fa;function da(){Hs=!0;let v,w;s==1&&(je>0?(sn=es[0]=0,rn=es[1]=je-1,v=t[0][sn],w=t[0][rn],k==2?(v=sn,w=rn):v==w&&(k==3?[v,w]=Ku(v,v,N.log,!1):k==4?[v,w]=kp(v,v,N.log,!1):N.time?w=v+Tn(86400/g):[v,w]=$u(v,w,Gp,!0))):(sn=es[0]=v=null,rn=es[1]=w=null)),qs(E,v,w)}let Hr,Ws,Wr,T,z,j,$,J,Tt,It;function At(v,w,P,D,H,K){v??(v=b_),P??(P=Hp),D??(D="butt"),H??(H=b_),K??(K="round"),v!=Hr&&(u.strokeStyle=Hr=v),H!=Ws&&(u.fillStyle=Ws=H),w!=Wr&&(u.lineWidth=Wr=w),K!=z&&(u.lineJoin=z=K),D!=j&&(u.lineCap=j=D),P!=T&&u.setLineDash(T=P)}function Lt(v,w,P,D){w!=Ws&&(u.fillStyle=Ws=w),v!=$&&(u.font=$=v),P!=J&&(u.textAlign=J=P),D!=Tt&&(u.textBaseline=Tt=D)}function zt(v,w,P,D,H=0){if(D.length>0&&v.auto(n,Hs)&&(w==null||w.min==null)){let K=we(sn,0),at=we(rn,D.length-1),dt=P.min==null?yC(D,K,at,H,v.distr==3):[P.min,P.max];v.min=Qi(v.min,P.min=dt[0]),v.max=hi(v.max,P.max=dt[1])}}let Qt={min:null,max:null};function de(){for(let D in y){let H=y[D];X[D]==null&&(H.min==null||X[E]!=null&&H.auto(n,Hs))&&(X[D]=Qt)}for(let D in y){let H=y[D];X[D]==null&&H.from!=null&&X[H.from]!=null&&(X[D]=Qt)}X[E]!=null&&he(!0);let v={};for(let D in X){let H=X[D];if(H!=null){let K=v[D]=ra(y[D],RC);if(H.min!=null)vn(K,H);else if(D!=E||s==2)if(je==0&&K.from==null){let at=K.range(n,null,null,D);K.min=at[0],K.max=at[1]}else K.min=Be,K.max=-Be}}if(je>0){b.forEach((D,H)=>{if(s==1){let K=D.scale,at=X[K];if(at==null)return;let dt=v[K];if(H==0){let yt=dt.range(n,dt.min,dt.max,K);dt.min=yt[0],dt.max=yt[1],sn=ji(dt.min,t[0]),rn=ji(dt.max,t[0]),rn-sn>1&&(t[0][sn]<dt.min&&sn++,t[0][rn]>dt.max&&rn--),D.min=pi[sn],D.max=pi[rn]}else D.show&&D.auto&&zt(dt,at,D,t[H],D.sorted);D.idxs[0]=sn,D.idxs[1]=rn}else if(H>0&&D.show&&D.auto){let[K,at]=D.facets,dt=K.scale,yt=at.scale,[Dt,Nt]=t[H],Ft=v[dt],ie=v[yt];Ft!=null&&zt(Ft,X[dt],K,Dt,K.sorted),ie!=null&&zt(ie,X[yt],at,Nt,at.sorted),D.min=at.min,D.max=at.max}});for(let D in v){let H=v[D],K=X[D];if(H.from==null&&(K==null||K.min==null)){let at=H.range(n,H.min==Be?null:H.min,H.max==-Be?null:H.max,D);H.min=at[0],H.max=at[1]}}}for(let D in v){let H=v[D];if(H.from!=null){let K=v[H.from];if(K.min==null)H.min=H.max=null;else{let at=H.range(n,K.min,K.max,D);H.min=at[0],H.max=at[1]}}}let w={},P=!1;for(let D in v){let H=v[D],K=y[D];if(K.min!=H.min||K.max!=H.max){K.min=H.min,K.max=H.max;let at=K.distr;K._min=at==3?ks(K.min):at==4?Sp(K.min,K.asinh):at==100?K.fwd(K.min):K.min,K._max=at==3?ks(K.max):at==4?Sp(K.max,K.asinh):at==100?K.fwd(K.max):K.max,w[D]=P=!0}}if(P){b.forEach((D,H)=>{s==2?H>0&&w.y&&(D._paths=null):w[D.scale]&&(D._paths=null)});for(let D in w)vt=!0,Pn("setScale",D);mt&&ut.left>=0&&(et=pt=!0)}for(let D in X)X[D]=null}function Bt(v){let w=Ip(sn-1,0,je-1),P=Ip(rn+1,0,je-1);for(;v[w]==null&&w>0;)w--;for(;v[P]==null&&P<je-1;)P++;return[w,P]}function pe(){if(je>0){let v=b.some(w=>w._focus)&&It!=Ot.alpha;v&&(u.globalAlpha=It=Ot.alpha),b.forEach((w,P)=>{if(P>0&&w.show&&(Je(P,!1),Je(P,!0),w._paths==null)){let D=It;It!=w.alpha&&(u.globalAlpha=It=w.alpha);let H=s==2?[0,t[P][0].length-1]:Bt(t[P]);w._paths=w.paths(n,P,H[0],H[1]),It!=D&&(u.globalAlpha=It=D)}}),b.forEach((w,P)=>{if(P>0&&w.show){let D=It;It!=w.alpha&&(u.globalAlpha=It=w.alpha),w._paths!=null&&Pe(P,!1);{let H=w._paths!=null?w._paths.gaps:null,K=w.points.show(n,P,sn,rn,H),at=w.points.filter(n,P,K,H);(K||at)&&(w.points._paths=w.points.paths(n,P,sn,rn,at),Pe(P,!0))}It!=D&&(u.globalAlpha=It=D),Pn("drawSeries",P)}}),v&&(u.globalAlpha=It=1)}}function Je(v,w){let P=w?b[v].points:b[v];P._stroke=P.stroke(n,v),P._fill=P.fill(n,v)}function Pe(v,w){let P=w?b[v].points:b[v],{stroke:D,fill:H,clip:K,flags:at,_stroke:dt=P._stroke,_fill:yt=P._fill,_width:Dt=P.width}=P._paths;Dt=ze(Dt*Ee,3);let Nt=null,Ft=Dt%2/2;w&&yt==null&&(yt=Dt>0?"#fff":dt);let ie=P.pxAlign==1&&Ft>0;if(ie&&u.translate(Ft,Ft),!w){let Te=R-Dt/2,Se=M-Dt/2,me=q+Dt,$t=ht+Dt;Nt=new Path2D,Nt.rect(Te,Se,me,$t)}w?Ut(dt,Dt,P.dash,P.cap,yt,D,H,at,K):Ie(v,dt,Dt,P.dash,P.cap,yt,D,H,at,Nt,K),ie&&u.translate(-Ft,-Ft)}function Ie(v,w,P,D,H,K,at,dt,yt,Dt,Nt){let Ft=!1;yt!=0&&C.forEach((ie,Te)=>{if(ie.series[0]==v){let Se=b[ie.series[1]],me=t[ie.series[1]],$t=(Se._paths||Nl).band;dr($t)&&($t=ie.dir==1?$t[0]:$t[1]);let Wt,Xe=null;Se.show&&$t&&MC(me,sn,rn)?(Xe=ie.fill(n,Te)||K,Wt=Se._paths.clip):$t=null,Ut(w,P,D,H,Xe,at,dt,yt,Dt,Nt,Wt,$t),Ft=!0}}),Ft||Ut(w,P,D,H,K,at,dt,yt,Dt,Nt)}let bn=oa|Np;function Ut(v,w,P,D,H,K,at,dt,yt,Dt,Nt,Ft){At(v,w,P,D,H),(yt||Dt||Ft)&&(u.save(),yt&&u.clip(yt),Dt&&u.clip(Dt)),Ft?(dt&bn)==bn?(u.clip(Ft),Nt&&u.clip(Nt),xe(H,at),un(v,K,w)):dt&Np?(xe(H,at),u.clip(Ft),un(v,K,w)):dt&oa&&(u.save(),u.clip(Ft),Nt&&u.clip(Nt),xe(H,at),u.restore(),un(v,K,w)):(xe(H,at),un(v,K,w)),(yt||Dt||Ft)&&u.restore()}function un(v,w,P){P>0&&(w instanceof Map?w.forEach((D,H)=>{u.strokeStyle=Hr=H,u.stroke(D)}):w!=null&&v&&u.stroke(w))}function xe(v,w){w instanceof Map?w.forEach((P,D)=>{u.fillStyle=Ws=D,u.fill(P)}):w!=null&&v&&u.fill(w)}function ys(v,w,P,D){let H=S[v],K;if(D<=0)K=[0,0];else{let at=H._space=H.space(n,v,w,P,D),dt=H._incrs=H.incrs(n,v,w,P,D,at);K=HR(w,P,dt,D,at)}return H._found=K}function fn(v,w,P,D,H,K,at,dt,yt,Dt){let Nt=at%2/2;x==1&&u.translate(Nt,Nt),At(dt,at,yt,Dt,dt),u.beginPath();let Ft,ie,Te,Se,me=H+(D==0||D==3?-K:K);P==0?(ie=H,Se=me):(Ft=H,Te=me);for(let $t=0;$t<v.length;$t++)w[$t]!=null&&(P==0?Ft=Te=v[$t]:ie=Se=v[$t],u.moveTo(Ft,ie),u.lineTo(Te,Se));u.stroke(),x==1&&u.translate(-Nt,-Nt)}function Xr(v){let w=!0;return S.forEach((P,D)=>{if(!P.show)return;let H=y[P.scale];if(H.min==null){P._show&&(w=!1,P._show=!1,he(!1));return}else P._show||(w=!1,P._show=!0,he(!1));let K=P.side,at=K%2,{min:dt,max:yt}=H,[Dt,Nt]=ys(D,dt,yt,at==0?O:Rt);if(Nt==0)return;let Ft=H.distr==2,ie=P._splits=P.splits(n,D,dt,yt,Dt,Nt,Ft),Te=H.distr==2?ie.map(Wt=>pi[Wt]):ie,Se=H.distr==2?pi[ie[1]]-pi[ie[0]]:Dt,me=P._values=P.values(n,P.filter(n,Te,D,Nt,Se),D,Nt,Se);P._rotate=K==2?P.rotate(n,me,D,Nt):0;let $t=P._size;P._size=Fi(P.size(n,me,D,v)),$t!=null&&P._size!=$t&&(w=!1)}),w}function ns(v){let w=!0;return ua.forEach((P,D)=>{let H=P(n,D,ts,v);H!=Oi[D]&&(w=!1),Oi[D]=H}),w}function bs(){for(let v=0;v<S.length;v++){let w=S[v];if(!w.show||!w._show)continue;let P=w.side,D=P%2,H,K,at=w.stroke(n,v),dt=P==0||P==3?-1:1,[yt,Dt]=w._found;if(w.label!=null){let ti=w.labelGap*dt,xi=Tn((w._lpos+ti)*Ee);Lt(w.labelFont[0],at,"center",P==2?"top":y_),u.save(),D==1?(H=K=0,u.translate(xi,Tn(M+ht/2)),u.rotate((P==3?-qu:qu)/2)):(H=Tn(R+q/2),K=xi);let xr=cv(w.label)?w.label(n,v,yt,Dt):w.label;u.fillText(xr,H,K),u.restore()}if(Dt==0)continue;let Nt=y[w.scale],Ft=D==0?q:ht,ie=D==0?R:M,Te=w._splits,Se=Nt.distr==2?Te.map(ti=>pi[ti]):Te,me=Nt.distr==2?pi[Te[1]]-pi[Te[0]]:yt,$t=w.ticks,Wt=w.border,Xe=$t.show?$t.size:0,tn=Tn(Xe*Ee),In=Tn((w.alignTo==2?w._size-Xe-w.gap:w.gap)*Ee),Ue=w._rotate*-qu/180,en=m(w._pos*Ee),mi=(tn+In)*dt,Qn=en+mi;K=D==0?Qn:0,H=D==1?Qn:0;let Ei=w.font[0],Bi=w.align==1?ta:w.align==2?yp:Ue>0?ta:Ue<0?yp:D==0?"center":P==3?yp:ta,rs=Ue||D==1?"middle":P==2?"top":y_;Lt(Ei,at,Bi,rs);let gi=w.font[1]*w.lineGap,Ci=Te.map(ti=>m(a(ti,Nt,Ft,ie))),zi=w._values;for(let ti=0;ti<zi.length;ti++){let xi=zi[ti];if(xi!=null){D==0?H=Ci[ti]:K=Ci[ti],xi=""+xi;let xr=xi.indexOf(`
`)==-1?[xi]:xi.split(/\n/gm);for(let ei=0;ei<xr.length;ei++){let Mm=xr[ei];Ue?(u.save(),u.translate(H,K+ei*gi),u.rotate(Ue),u.fillText(Mm,0,0),u.restore()):u.fillText(Mm,H,K+ei*gi)}}}$t.show&&fn(Ci,$t.filter(n,Se,v,Dt,me),D,P,en,tn,ze($t.width*Ee,3),$t.stroke(n,v),$t.dash,$t.cap);let os=w.grid;os.show&&fn(Ci,os.filter(n,Se,v,Dt,me),D,D==0?2:1,D==0?M:R,D==0?ht:q,ze(os.width*Ee,3),os.stroke(n,v),os.dash,os.cap),Wt.show&&fn([en],[1],D==0?1:0,D==0?1:2,D==1?M:R,D==1?ht:q,ze(Wt.width*Ee,3),Wt.stroke(n,v),Wt.dash,Wt.cap)}Pn("drawAxes")}function he(v){b.forEach((w,P)=>{P>0&&(w._paths=null,v&&(s==1?(w.min=null,w.max=null):w.facets.forEach(D=>{D.min=null,D.max=null})))})}let Qe=!1,jn=!1,Le=[];function dn(){jn=!1;for(let v=0;v<Le.length;v++)Pn(...Le[v]);Le.length=0}function Xn(){Qe||(FC(sm),Qe=!0)}function zl(v,w=!1){Qe=!0,jn=w,v(n),sm(),w&&Le.length>0&&queueMicrotask(dn)}n.batch=zl;function sm(){if(ot&&(de(),ot=!1),vt&&(wt(),vt=!1),xt){if(Ye(d,ta,Yt),Ye(d,"top",re),Ye(d,Pl,O),Ye(d,Il,Rt),Ye(p,ta,Yt),Ye(p,"top",re),Ye(p,Pl,O),Ye(p,Il,Rt),Ye(f,Pl,Ke),Ye(f,Il,hn),h.width=Tn(Ke*Ee),h.height=Tn(hn*Ee),S.forEach(({_el:v,_show:w,_size:P,_pos:D,side:H})=>{if(v!=null)if(w){let K=H===3||H===0?P:0,at=H%2==1;Ye(v,at?"left":"top",D-K),Ye(v,at?"width":"height",P),Ye(v,at?"top":"left",at?re:Yt),Ye(v,at?"height":"width",at?Rt:O),Rp(v,Br)}else wi(v,Br)}),Hr=Ws=Wr=z=j=$=J=Tt=T=null,It=1,ga(!0),Yt!=St||re!=Oe||O!=kt||Rt!=Xt){he(!1);let v=O/kt,w=Rt/Xt;if(mt&&!et&&ut.left>=0){ut.left*=v,ut.top*=w,qr&&xs(qr,Tn(ut.left),0,O,Rt),Yr&&xs(Yr,0,Tn(ut.top),O,Rt);for(let P=0;P<ae.length;P++){let D=ae[P];D!=null&&(Ve[P]*=v,Kn[P]*=w,xs(D,Fi(Ve[P]),Fi(Kn[P]),O,Rt))}}if(We.show&&!st&&We.left>=0&&We.width>0){We.left*=v,We.width*=v,We.top*=w,We.height*=w;for(let P in gf)Ye(Jr,P,We[P])}St=Yt,Oe=re,kt=O,Xt=Rt}Pn("setSize"),xt=!1}Ke>0&&hn>0&&(u.clearRect(0,0,h.width,h.height),Pn("drawClear"),A.forEach(v=>v()),Pn("draw")),We.show&&st&&(kl(We),st=!1),mt&&et&&(gr(null,!0,!1),et=!1),ft.show&&ft.live&&pt&&(pf(),pt=!1),l||(l=!0,n.status=1,Pn("ready")),Hs=!1,Qe=!1}n.redraw=(v,w)=>{vt=w||!1,v!==!1?qs(E,N.min,N.max):Xn()};function uf(v,w){let P=y[v];if(P.from==null){if(je==0){let D=P.range(n,w.min,w.max,v);w.min=D[0],w.max=D[1]}if(w.min>w.max){let D=w.min;w.min=w.max,w.max=D}if(je>1&&w.min!=null&&w.max!=null&&w.max-w.min<1e-16)return;v==E&&P.distr==2&&je>0&&(w.min=ji(w.min,t[0]),w.max=ji(w.max,t[0]),w.min==w.max&&w.max++),X[v]=w,ot=!0,Xn()}}n.setScale=uf;let ff,df,qr,Yr,rm,om,$r,Zr,am,lm,He,Ze,Xs=!1,Bn=ut.drag,Cn=Bn.x,Rn=Bn.y;mt&&(ut.x&&(ff=Ui(oC,p)),ut.y&&(df=Ui(aC,p)),N.ori==0?(qr=ff,Yr=df):(qr=df,Yr=ff),He=ut.left,Ze=ut.top);let We=n.select=vn({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),Jr=We.show?Ui(rC,We.over?p:d):null;function kl(v,w){if(We.show){for(let P in v)We[P]=v[P],P in gf&&Ye(Jr,P,v[P]);w!==!1&&Pn("setSelect")}}n.setSelect=kl;function my(v){if(b[v].show)tt&&Rp(se[v],Br);else if(tt&&wi(se[v],Br),mt){let P=Ct?ae[0]:ae[v];P!=null&&xs(P,-10,-10,O,Rt)}}function qs(v,w,P){uf(v,{min:w,max:P})}function is(v,w,P,D){w.focus!=null&&yy(v),w.show!=null&&b.forEach((H,K)=>{K>0&&(v==K||v==null)&&(H.show=w.show,my(K),s==2?(qs(H.facets[0].scale,null,null),qs(H.facets[1].scale,null,null)):qs(H.scale,null,null),Xn())}),P!==!1&&Pn("setSeries",v,w),D&&xa("setSeries",n,v,w)}n.setSeries=is;function gy(v,w){vn(C[v],w)}function xy(v,w){v.fill=ye(v.fill||null),v.dir=we(v.dir,-1),w=w??C.length,C.splice(w,0,v)}function _y(v){v==null?C.length=0:C.splice(v,1)}n.addBand=xy,n.setBand=gy,n.delBand=_y;function vy(v,w){b[v].alpha=w,mt&&ae[v]!=null&&(ae[v].style.opacity=w),tt&&se[v]&&(se[v].style.opacity=w)}let Ms,Ys,mr,Kr={focus:!0};function yy(v){if(v!=mr){let w=v==null,P=Ot.alpha!=1;b.forEach((D,H)=>{if(s==1||H>0){let K=w||H==0||H==v;D._focus=w?null:K,P&&vy(H,K?1:Ot.alpha)}}),mr=v,P&&Xn()}}tt&&Kt&&be(w_,Et,v=>{ut._lock||(Jt(v),mr!=null&&is(null,Kr,!0,pn.setSeries))});function ss(v,w,P){let D=y[w];P&&(v=v/Ee-(D.ori==1?re:Yt));let H=O;D.ori==1&&(H=Rt,v=H-v),D.dir==-1&&(v=H-v);let K=D._min,at=D._max,dt=v/H,yt=K+(at-K)*dt,Dt=D.distr;return Dt==3?ia(10,yt):Dt==4?wC(yt,D.asinh):Dt==100?D.bwd(yt):yt}function by(v,w){let P=ss(v,E,w);return ji(P,t[0],sn,rn)}n.valToIdx=v=>ji(v,t[0]),n.posToIdx=by,n.posToVal=ss,n.valToPos=(v,w,P)=>y[w].ori==0?r(v,y[w],P?q:O,P?R:0):o(v,y[w],P?ht:Rt,P?M:0),n.setCursor=(v,w,P)=>{He=v.left,Ze=v.top,gr(null,w,P)};function cm(v,w){Ye(Jr,ta,We.left=v),Ye(Jr,Pl,We.width=w)}function hm(v,w){Ye(Jr,"top",We.top=v),Ye(Jr,Il,We.height=w)}let pa=N.ori==0?cm:hm,ma=N.ori==1?cm:hm;function My(){if(tt&&ft.live)for(let v=s==2?1:0;v<b.length;v++){if(v==0&&ce)continue;let w=ft.values[v],P=0;for(let D in w)Gt[v][P++].firstChild.nodeValue=w[D]}}function pf(v,w){if(v!=null&&(v.idxs?v.idxs.forEach((P,D)=>{it[D]=P}):CC(v.idx)||it.fill(v.idx),ft.idx=it[0]),tt&&ft.live){for(let P=0;P<b.length;P++)(P>0||s==1&&!ce)&&Sy(P,it[P]);My()}pt=!1,w!==!1&&Pn("setLegend")}n.setLegend=pf;function Sy(v,w){let P=b[v],D=v==0&&k==2?pi:t[v],H;ce?H=P.values(n,v,w)??ne:(H=P.value(n,w==null?null:D[w],v,w),H=H==null?ne:{_:H}),ft.values[v]=H}function gr(v,w,P){am=He,lm=Ze,[He,Ze]=ut.move(n,He,Ze),ut.left=He,ut.top=Ze,mt&&(qr&&xs(qr,Tn(He),0,O,Rt),Yr&&xs(Yr,0,Tn(Ze),O,Rt));let D,H=sn>rn;Ms=Be,Ys=null;let K=N.ori==0?O:Rt,at=N.ori==1?O:Rt;if(He<0||je==0||H){D=ut.idx=null;for(let dt=0;dt<b.length;dt++){let yt=ae[dt];yt!=null&&xs(yt,-10,-10,O,Rt)}Kt&&is(null,Kr,!0,v==null&&pn.setSeries),ft.live&&(it.fill(D),pt=!0)}else{let dt,yt,Dt;s==1&&(dt=N.ori==0?He:Ze,yt=ss(dt,E),D=ut.idx=ji(yt,t[0],sn,rn),Dt=W(t[0][D],N,K,0));let Nt=-10,Ft=-10,ie=0,Te=0,Se=!0,me="",$t="";for(let Wt=s==2?1:0;Wt<b.length;Wt++){let Xe=b[Wt],tn=it[Wt],In=tn==null?null:s==1?t[Wt][tn]:t[Wt][1][tn],Ue=ut.dataIdx(n,Wt,D,yt),en=Ue==null?null:s==1?t[Wt][Ue]:t[Wt][1][Ue];if(pt=pt||en!=In||Ue!=tn,it[Wt]=Ue,Wt>0&&Xe.show){let mi=Ue==null?-10:Ue==D?Dt:W(s==1?t[0][Ue]:t[Wt][0][Ue],N,K,0),Qn=en==null?-10:L(en,s==1?y[Xe.scale]:y[Xe.facets[1].scale],at,0);if(Kt&&en!=null){let Ei=N.ori==1?He:Ze,Bi=An(Ot.dist(n,Wt,Ue,Qn,Ei));if(Bi<Ms){let rs=Ot.bias;if(rs!=0){let gi=ss(Ei,Xe.scale),Ci=en>=0?1:-1,zi=gi>=0?1:-1;zi==Ci&&(zi==1?rs==1?en>=gi:en<=gi:rs==1?en<=gi:en>=gi)&&(Ms=Bi,Ys=Wt)}else Ms=Bi,Ys=Wt}}if(pt||Ct){let Ei,Bi;N.ori==0?(Ei=mi,Bi=Qn):(Ei=Qn,Bi=mi);let rs,gi,Ci,zi,os,ti,xi=!0,xr=ct.bbox;if(xr!=null){xi=!1;let ei=xr(n,Wt);Ci=ei.left,zi=ei.top,rs=ei.width,gi=ei.height}else Ci=Ei,zi=Bi,rs=gi=ct.size(n,Wt);if(ti=ct.fill(n,Wt),os=ct.stroke(n,Wt),Ct)Wt==Ys&&Ms<=Ot.prox&&(Nt=Ci,Ft=zi,ie=rs,Te=gi,Se=xi,me=ti,$t=os);else{let ei=ae[Wt];ei!=null&&(Ve[Wt]=Ci,Kn[Wt]=zi,I_(ei,rs,gi,xi),R_(ei,ti,os),xs(ei,Fi(Ci),Fi(zi),O,Rt))}}}}if(Ct){let Wt=Ot.prox,Xe=mr==null?Ms<=Wt:Ms>Wt||Ys!=mr;if(pt||Xe){let tn=ae[0];tn!=null&&(Ve[0]=Nt,Kn[0]=Ft,I_(tn,ie,Te,Se),R_(tn,me,$t),xs(tn,Fi(Nt),Fi(Ft),O,Rt))}}}if(We.show&&Xs)if(v!=null){let[dt,yt]=pn.scales,[Dt,Nt]=pn.match,[Ft,ie]=v.cursor.sync.scales,Te=v.cursor.drag;if(Cn=Te._x,Rn=Te._y,Cn||Rn){let{left:Se,top:me,width:$t,height:Wt}=v.select,Xe=v.scales[Ft].ori,tn=v.posToVal,In,Ue,en,mi,Qn,Ei=dt!=null&&Dt(dt,Ft),Bi=yt!=null&&Nt(yt,ie);Ei&&Cn?(Xe==0?(In=Se,Ue=$t):(In=me,Ue=Wt),en=y[dt],mi=W(tn(In,Ft),en,K,0),Qn=W(tn(In+Ue,Ft),en,K,0),pa(Qi(mi,Qn),An(Qn-mi))):pa(0,K),Bi&&Rn?(Xe==1?(In=Se,Ue=$t):(In=me,Ue=Wt),en=y[yt],mi=L(tn(In,ie),en,at,0),Qn=L(tn(In+Ue,ie),en,at,0),ma(Qi(mi,Qn),An(Qn-mi))):ma(0,at)}else xf()}else{let dt=An(am-rm),yt=An(lm-om);if(N.ori==1){let ie=dt;dt=yt,yt=ie}Cn=Bn.x&&dt>=Bn.dist,Rn=Bn.y&&yt>=Bn.dist;let Dt=Bn.uni;Dt!=null?Cn&&Rn&&(Cn=dt>=Dt,Rn=yt>=Dt,!Cn&&!Rn&&(yt>dt?Rn=!0:Cn=!0)):Bn.x&&Bn.y&&(Cn||Rn)&&(Cn=Rn=!0);let Nt,Ft;Cn&&(N.ori==0?(Nt=$r,Ft=He):(Nt=Zr,Ft=Ze),pa(Qi(Nt,Ft),An(Ft-Nt)),Rn||ma(0,at)),Rn&&(N.ori==1?(Nt=$r,Ft=He):(Nt=Zr,Ft=Ze),ma(Qi(Nt,Ft),An(Ft-Nt)),Cn||pa(0,K)),!Cn&&!Rn&&(pa(0,0),ma(0,0))}if(Bn._x=Cn,Bn._y=Rn,v==null){if(P){if(bm!=null){let[dt,yt]=pn.scales;pn.values[0]=dt!=null?ss(N.ori==0?He:Ze,dt):null,pn.values[1]=yt!=null?ss(N.ori==1?He:Ze,yt):null}xa(bp,n,He,Ze,O,Rt,D)}if(Kt){let dt=P&&pn.setSeries,yt=Ot.prox;mr==null?Ms<=yt&&is(Ys,Kr,!0,dt):Ms>yt?is(null,Kr,!0,dt):Ys!=mr&&is(Ys,Kr,!0,dt)}}pt&&(ft.idx=D,pf()),w!==!1&&Pn("setCursor")}let $s=null;Object.defineProperty(n,"rect",{get(){return $s==null&&ga(!1),$s}});function ga(v=!1){v?$s=null:($s=p.getBoundingClientRect(),Pn("syncRect",$s))}function um(v,w,P,D,H,K,at){ut._lock||Xs&&v!=null&&v.movementX==0&&v.movementY==0||(mf(v,w,P,D,H,K,at,!1,v!=null),v!=null?gr(null,!0,!0):gr(w,!0,!1))}function mf(v,w,P,D,H,K,at,dt,yt){if($s==null&&ga(!1),Jt(v),v!=null)P=v.clientX-$s.left,D=v.clientY-$s.top;else{if(P<0||D<0){He=-10,Ze=-10;return}let[Dt,Nt]=pn.scales,Ft=w.cursor.sync,[ie,Te]=Ft.values,[Se,me]=Ft.scales,[$t,Wt]=pn.match,Xe=w.axes[0].side%2==1,tn=N.ori==0?O:Rt,In=N.ori==1?O:Rt,Ue=Xe?K:H,en=Xe?H:K,mi=Xe?D:P,Qn=Xe?P:D;if(Se!=null?P=$t(Dt,Se)?a(ie,y[Dt],tn,0):-10:P=tn*(mi/Ue),me!=null?D=Wt(Nt,me)?a(Te,y[Nt],In,0):-10:D=In*(Qn/en),N.ori==1){let Ei=P;P=D,D=Ei}}yt&&(w==null||w.cursor.event.type==bp)&&((P<=1||P>=O-1)&&(P=Fr(P,O)),(D<=1||D>=Rt-1)&&(D=Fr(D,Rt))),dt?(rm=P,om=D,[$r,Zr]=ut.move(n,P,D)):(He=P,Ze=D)}let gf={width:0,height:0,left:0,top:0};function xf(){kl(gf,!1)}let fm,dm,pm,mm;function gm(v,w,P,D,H,K,at){Xs=!0,Cn=Rn=Bn._x=Bn._y=!1,mf(v,w,P,D,H,K,at,!0,!1),v!=null&&(be(Mp,Ep,xm,!1),xa(M_,n,$r,Zr,O,Rt,null));let{left:dt,top:yt,width:Dt,height:Nt}=We;fm=dt,dm=yt,pm=Dt,mm=Nt}function xm(v,w,P,D,H,K,at){Xs=Bn._x=Bn._y=!1,mf(v,w,P,D,H,K,at,!1,!0);let{left:dt,top:yt,width:Dt,height:Nt}=We,Ft=Dt>0||Nt>0,ie=fm!=dt||dm!=yt||pm!=Dt||mm!=Nt;if(Ft&&ie&&kl(We),Bn.setScale&&Ft&&ie){let Te=dt,Se=Dt,me=yt,$t=Nt;if(N.ori==1&&(Te=yt,Se=Nt,me=dt,$t=Dt),Cn&&qs(E,ss(Te,E),ss(Te+Se,E)),Rn)for(let Wt in y){let Xe=y[Wt];Wt!=E&&Xe.from==null&&Xe.min!=Be&&qs(Wt,ss(me+$t,Wt),ss(me,Wt))}xf()}else ut.lock&&(ut._lock=!ut._lock,gr(w,!0,v!=null));v!=null&&(yn(Mp,Ep),xa(Mp,n,He,Ze,O,Rt,null))}function wy(v,w,P,D,H,K,at){if(ut._lock)return;Jt(v);let dt=Xs;if(Xs){let yt=!0,Dt=!0,Nt=10,Ft,ie;N.ori==0?(Ft=Cn,ie=Rn):(Ft=Rn,ie=Cn),Ft&&ie&&(yt=He<=Nt||He>=O-Nt,Dt=Ze<=Nt||Ze>=Rt-Nt),Ft&&yt&&(He=He<$r?0:O),ie&&Dt&&(Ze=Ze<Zr?0:Rt),gr(null,!0,!0),Xs=!1}He=-10,Ze=-10,it.fill(null),gr(null,!0,!0),dt&&(Xs=dt)}function _m(v,w,P,D,H,K,at){ut._lock||(Jt(v),da(),xf(),v!=null&&xa(T_,n,He,Ze,O,Rt,null))}function vm(){S.forEach(WR),F(n.width,n.height,!0)}zr(Yu,na,vm);let jr={};jr.mousedown=gm,jr.mousemove=um,jr.mouseup=xm,jr.dblclick=_m,jr.setSeries=(v,w,P,D)=>{let H=pn.match[2];P=H(n,w,P),P!=-1&&is(P,D,!0,!1)},mt&&(be(M_,p,gm),be(bp,p,um),be(S_,p,v=>{Jt(v),ga(!1)}),be(w_,p,wy),be(T_,p,_m),Up.add(n),n.syncRect=ga);let Gl=n.hooks=i.hooks||{};function Pn(v,w,P){jn?Le.push([v,w,P]):v in Gl&&Gl[v].forEach(D=>{D.call(null,n,w,P)})}(i.plugins||[]).forEach(v=>{for(let w in v.hooks)Gl[w]=(Gl[w]||[]).concat(v.hooks[w])});let ym=(v,w,P)=>P,pn=vn({key:null,setSeries:!1,filters:{pub:F_,sub:F_},scales:[E,b[1]?b[1].scale:null],match:[O_,O_,ym],values:[null,null]},ut.sync);pn.match.length==2&&pn.match.push(ym),ut.sync=pn;let bm=pn.key,_f=Dv(bm);function xa(v,w,P,D,H,K,at){pn.filters.pub(v,w,P,D,H,K,at)&&_f.pub(v,w,P,D,H,K,at)}_f.sub(n);function Ty(v,w,P,D,H,K,at){pn.filters.sub(v,w,P,D,H,K,at)&&jr[v](null,w,P,D,H,K,at)}n.pub=Ty;function Ay(){_f.unsub(n),Up.delete(n),En.clear(),Pp(Yu,na,vm),c.remove(),Et?.remove(),Pn("destroy")}n.destroy=Ay;function vf(){Pn("init",i,t),fa(t||i.data,!1),X[E]?uf(E,X[E]):da(),st=We.show&&(We.width>0||We.height>0),et=pt=!0,F(i.width,i.height)}return b.forEach(Vr),S.forEach(_s),e?e instanceof HTMLElement?(e.appendChild(c),vf()):e(n,vf):vf(),n}Wn.assign=vn;Wn.fmtNum=Vp;Wn.rangeNum=$u;Wn.rangeLog=Ku;Wn.rangeAsinh=kp;Wn.orient=Gr;Wn.pxRatio=Ee;Wn.join=UC;Wn.fmtDate=Wp,Wn.tzDate=qC;Wn.sync=Dv;{Wn.addGap=CR,Wn.clipGaps=tf;let i=Wn.paths={points:zv};i.linear=Gv,i.stepped=IR,i.bars=LR,i.spline=NR}var XR={solid:[],dashed:[7,4],dotted:[1.5,3.5],"dash-dot":[7,3,1.5,3]};function Vs(i,t){let e=0,n=i.length;for(;e<n;){let s=e+n>>1;i[s]>t?n=s:e=s+1}return e}function jp(i,t,e){return i.sorted?[Math.max(0,Vs(i.x,t)-1),Math.min(i.x.length,Vs(i.x,e)+1)]:[0,i.x.length]}function qv(i){let{left:t,top:e,width:n,height:s}=i.bbox,{x:r,y:o}=i.scales,a=o.distr===3,l=a?Math.log10:d=>d,c=l(o.min),h=n/(r.max-r.min),u=s/(l(o.max)-c),f=d=>Math.min(1e5,Math.max(-1e5,d));return{pen:i.ctx,ratio:i.ctx.canvas.width/i.width,left:t,top:e,right:t+n,bottom:e+s,log:a,X:d=>f(t+(d-r.min)*h),Y:d=>a&&!(d>0)?NaN:f(e+s-(l(d)-c)*u),x:[r.min,r.max]}}function Yv(i,t,e){let{pen:n,ratio:s}=i;n.save(),n.strokeStyle=e,n.fillStyle=e,n.lineWidth=1.6*s,n.lineJoin="round",n.setLineDash((t.pattern??XR[t.dash]??[]).map(l=>l*s));let[r,o]=jp(t,...i.x);({line:Kp,steps:qR,stems:YR,markers:Xv,points:Kv,"line-markers":(...l)=>{Kp(...l),Xv(...l)}}[t.style]??Kp)(i,t,r,o),n.restore()}var Qp=(i,t,e)=>e-t>3*(i.right-i.left);function Kp(i,t,e,n){if(Qp(i,e,n))return Zv(i,t,e,n);let{pen:s,X:r,Y:o}=i,a=new Set(Jv(i,t,e,n)),l=[],c=[],h=!1,u=0,f=d=>{u===1&&c.push(d-1),h=!1,u=0};s.beginPath();for(let d=e;d<n;d++){let p=r(t.x[d]),x=o(t.y[d]);if((Number.isNaN(x)||t.breaks.has(d))&&f(d),Number.isNaN(x))continue;u+=1;let m=h&&a.has(d);m&&l.push(d),h&&!m?s.lineTo(p,x):s.moveTo(p,x),h=!0}f(n),s.stroke(),l.length>0&&$v(i,t,l),s.setLineDash([]);for(let d of c)Fl(i,t.x[d],t.y[d],!0,1.6)}function $v(i,t,e){let{pen:n,X:s,Y:r,ratio:o}=i;n.save(),n.setLineDash([1.5*o,3*o]),n.lineWidth=1.2*o,n.globalAlpha=.75,n.beginPath();for(let l of e)n.moveTo(s(t.x[l]),r(t.y[l-1])),n.lineTo(s(t.x[l]),r(t.y[l]));n.stroke(),n.restore(),n.save(),n.setLineDash([]),n.lineWidth=1.3*o;let a=(l,c)=>l>=0&&c>=0&&l<t.x.length&&c<t.x.length&&t.x[l]===t.x[c];e.forEach((l,c)=>{let h=d=>d>=0&&d<e.length&&Math.abs(s(t.x[e[d]])-s(t.x[l]))<6*o&&!a(e[d],l);if(h(c-1)||h(c+1))return;let u=a(l-1,l-2),f=a(l,l+1)&&t.y[l+1]!==t.y[l];Fl(i,t.x[l],t.y[l-1],u,3),Fl(i,t.x[l],t.y[l],f||!u,3)}),n.restore()}function Fl(i,t,e,n,s){let{pen:r,X:o,Y:a,ratio:l}=i,c=r.fillStyle;r.beginPath(),r.arc(o(t),a(e),s*l,0,2*Math.PI),n||(r.fillStyle=i.paper),r.fill(),r.fillStyle=c,r.stroke()}function Zv(i,t,e,n){let{pen:s,X:r,Y:o,ratio:a}=i,l=Jv(i,t,e,n),c=l.length*10*a<i.right-i.left?new Set(l):new Set,h=null,u=0,f=0,d=0,p=!1,x=()=>{h!==null&&(s.lineTo(h,u),s.lineTo(h,f),s.lineTo(h,d))};s.beginPath();for(let m=e;m<n;m++){let g=o(t.y[m]),b=Math.round(r(t.x[m])),S=Number.isNaN(g)||t.breaks.has(m)||c.has(m);if(S||b!==h){if(x(),h=null,S&&(p=!1),Number.isNaN(g))continue;p?s.lineTo(b,g):s.moveTo(b,g),h=b,u=f=d=g,p=!0}else u=Math.min(u,g),f=Math.max(f,g),d=g}x(),s.stroke(),c.size>0&&$v(i,t,l)}function Jv(i,t,e,n){let s=[];if(!t.jumps||t.style==="steps")return s;for(let r=Math.max(1,e);r<n;r++)t.x[r]===t.x[r-1]&&Math.abs(i.Y(t.y[r])-i.Y(t.y[r-1]))>1.5*i.ratio&&s.push(r);return s}function qR(i,t,e,n){if(Qp(i,e,n))return Zv(i,t,e,n);let{pen:s,X:r,Y:o}=i,a=[],l=null;for(let h=e;h<n;h++){let u=o(t.y[h]);if((Number.isNaN(u)||t.breaks.has(h))&&(l=null),Number.isNaN(u))continue;let f=r(t.x[h]);l?l.push([f,l[l.length-1][1]]):a.push(l=[]),l.push([f,u])}s.beginPath();for(let h of a)h.forEach(([u,f],d)=>d===0?s.moveTo(u,f):s.lineTo(u,f));if(s.stroke(),!t.filled||!t.shaded)return;s.globalAlpha=.14;let c=o(0);for(let h of a){s.beginPath(),s.moveTo(h[0][0],c);for(let[u,f]of h)s.lineTo(u,f);s.lineTo(h[h.length-1][0],c),s.fill()}}function YR(i,t,e,n){let{pen:s,X:r,Y:o,ratio:a}=i,l=i.log?i.bottom:o(0);s.setLineDash([]),s.beginPath();let c=!1;for(let h=e,u=-1/0;h<n;h++){let f=r(t.x[h]),d=o(t.y[h]);Number.isNaN(d)||(f-u<2*a&&u!==f&&(c=!0),u=f,s.moveTo(f,l),s.lineTo(f,d))}if(s.stroke(),!(c&&n-e>200))for(let h=e;h<n;h++)Number.isNaN(o(t.y[h]))||Fl(i,t.x[h],t.y[h],!0,2.4)}function Xv(i,t,e,n){if(i.pen.setLineDash([]),Qp(i,e,n))return Kv(i,t,e,n);for(let s=e;s<n;s++)Number.isNaN(i.Y(t.y[s]))||Fl(i,t.x[s],t.y[s],!0,2.2)}function Kv(i,t,e,n){let{pen:s,X:r,Y:o,ratio:a}=i,l=1.6*a;for(let c=e;c<n;c++){let h=o(t.y[c]);Number.isNaN(h)||s.fillRect(r(t.x[c])-l/2,h-l/2,l,l)}}function jv(i,t,e,n){let{pen:s,X:r,ratio:o}=i,a=[];for(let c of t){let h=Math.round(r(c));c>=i.x[0]&&c<=i.x[1]&&!(h-a[a.length-1]<4*o)&&a.push(h)}let l=a.length*o/(i.right-i.left);s.save(),s.strokeStyle=e,s.setLineDash((n??[]).map(c=>c*o)),s.globalAlpha=l>.1?.2:.3,s.lineWidth=Math.max(1,Math.round(o)),s.beginPath();for(let c of a)s.moveTo(c+.5,i.top),s.lineTo(c+.5,i.bottom);s.stroke(),s.restore()}function Qv(i,t,e,n){let{pen:s,X:r,Y:o,ratio:a}=i;s.save(),s.strokeStyle=e,s.fillStyle=e,s.lineWidth=a,s.font=n;for(let l of t){let c=l.vertical?r(l.value):o(l.value);if(!(l.vertical?c>=i.left&&c<=i.right:c>=i.top&&c<=i.bottom)||(s.setLineDash([5*a,3*a]),s.beginPath(),s.moveTo(l.vertical?c:i.left,l.vertical?i.top:c),s.lineTo(l.vertical?c:i.right,l.vertical?i.bottom:c),s.stroke(),!l.label))continue;s.textAlign=l.vertical?"left":"right";let u=l.vertical||c-i.top>16*a;s.textBaseline=l.vertical?"top":u?"bottom":"top",l.vertical?s.fillText(l.label,c+4*a,i.top+2*a):s.fillText(l.label,i.right-4*a,c+(u?-3:3)*a)}s.restore()}var tm='system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif',Ol=()=>window.innerWidth<600?54:66,rf=4;function of(i){let{host:t}=i,e=new Wn($R(i),[[i.x[0],i.x[1]],[null,null]],t),n=()=>{let o=Math.floor(t.clientWidth);o>40&&(o!==e.width||i.height!==e.height)&&e.setSize({width:o,height:i.height})},s=new ResizeObserver(n);s.observe(t),e2(e,i);let r=[ui(()=>e.redraw(!1,!0)),()=>s.disconnect(),()=>e.destroy()];return{plot:e,set(o,a){e.batch(()=>{e.setScale("x",{min:o[0],max:o[1]}),e.setScale("y",{min:a[0],max:a[1]})})},redraw:()=>e.redraw(!1,!1),dispose:()=>r.forEach(o=>o())}}function $R(i){let{host:t,names:e,log:n}=i,s=`12px ${tm}`,r={stroke:()=>Fe().muted,font:s,ticks:{stroke:()=>Fe().faint,size:5},grid:{stroke:()=>Fe().faint,width:1}},o=a=>a?{label:a,labelFont:s,labelSize:20,labelGap:0}:{};return{width:Math.max(120,Math.floor(t.clientWidth)),height:i.height,padding:[10,14,i.xLabel?0:2,0],legend:{show:!1},cursor:{y:!!i.dragY,points:{show:!1},drag:{x:!0,y:!!i.dragY,setScale:!1,dist:rf},bind:{dblclick:()=>()=>i.reset?.()}},scales:{x:{time:!1,auto:!1,min:i.x[0],max:i.x[1]},y:{auto:!1,min:i.y[0],max:i.y[1],distr:n?3:1}},axes:[{...r,...o(i.xLabel),size:28,space:64,gap:4,values:(a,l,c,h,u)=>br(l,u)},{...r,...o(i.yLabel),size:i.gutter??Ol(),gap:6,...ZR(i)}],series:[{},{paths:()=>null,points:{show:!1}}],hooks:{draw:[a=>QR(a,i)],setSelect:[a=>t2(a,i)]}}}function ZR({names:i,log:t,whole:e}){return i?{splits:s=>[...i.keys()].filter(r=>r>=s.scales.y.min&&r<=s.scales.y.max),values:(s,r)=>r.map(o=>JR(i.get(o)))}:t?{splits:KR,filter:(s,r)=>r,values:(s,r)=>r.map(jR)}:{...e?{incrs:[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,1e5,1e6,1e7,1e8,1e9]}:{},space:30,values:(s,r,o,a,l)=>br(r,l)}}var JR=i=>i.length>12?`${i.slice(0,11)}…`:i;function KR(i){let{min:t,max:e}=i.scales.y,n=Math.log10(e/t),s=Math.max(1,Math.ceil(n/Math.max(2,(i.height-50)/26))),r=[];for(let o=Math.floor(Math.log10(t));o<=Math.log10(e);o++)for(let a of n<2?[1,2,5]:[1]){let l=+`${a}e${o}`;(o%s+s)%s===0&&l>=t&&l<=e&&r.push(l)}return r}function jR(i){let t=Math.floor(Math.log10(i)+1e-9),e=Math.round(i/10**t);return e===1?va(t):`${e}·${va(t)}`}function QR(i,t){let e={...qv(i),paper:Fe().paper};i.ctx.save(),i.ctx.beginPath(),i.ctx.rect(e.left-4,e.top-4,e.right-e.left+8,e.bottom-e.top+8),i.ctx.clip(),t.paint(e),i.ctx.restore()}function t2(i,t){let{left:e,top:n,width:s,height:r}=i.select;if(s<=rf&&r<=rf)return;let o=[i.posToVal(e,"x"),i.posToVal(e+s,"x")],a=[i.posToVal(n+r,"y"),i.posToVal(n,"y")];i.setSelect({left:0,top:0,width:0,height:0},!1),t.select?.(...o,...a)}function e2(i,t){let e=null,n=I("div",{class:"cursor-tag",hidden:!0});t.cursorText&&i.over.append(n);let s=o=>{let a=i.over.getBoundingClientRect();return[i.posToVal(o.clientX-a.left,"x"),i.posToVal(o.clientY-a.top,"y")]};i.over.addEventListener("mousemove",o=>{let a=s(o);t.hover?.(...a),t.cursorText&&(n.hidden=!1,n.textContent=t.cursorText(a[0]),n.style.left=`${o.clientX-i.over.getBoundingClientRect().left}px`)});let r=()=>{n.hidden=!0};i.hooks.setSelect?.push(r),i.over.addEventListener("dblclick",r),i.over.addEventListener("mouseleave",()=>{r(),t.hover?.(null)}),i.over.addEventListener("mousedown",o=>{e=[o.clientX,o.clientY]}),i.over.addEventListener("click",o=>{e&&Math.hypot(o.clientX-e[0],o.clientY-e[1])>rf||t.click?.(...s(o))}),i.over.addEventListener("wheel",o=>{!o.ctrlKey||!t.wheel||(o.preventDefault(),t.wheel(o.deltaY>0?1.25:.8,s(o)[0]))},{passive:!1}),i.root.querySelector("canvas").setAttribute("role","img")}function af(i,t,e){if(e){let r=Math.max(.08*Math.log10(t/i),.25);return[i/10**r,t*10**r]}let n=t-i,s=n>1e-12*Math.max(Math.abs(i),Math.abs(t))?.07*n:Math.max(Math.abs(i)*.1,1e-300);return i===0&&t===0?[-1,1]:[i-s,t+s]}async function ty(i,t,e){let[n,s]=await Promise.all([on(i.x),on(i.y)]),r=!0;for(let o=1;o<n.length;o++)n[o]<n[o-1]&&(r=!1);return{...i,x:n,y:s,sorted:r,record:e,visible:!0,whole:i.style==="steps"&&s.every(Number.isInteger),breaks:new Set(i.breaks??[]),filled:i.style==="steps"&&t.group==="reaction"&&!t.names&&!t.log}}function nm(i,t,e,n){let s=1/0,r=-1/0,o=a=>{!Number.isFinite(a)||n&&a<=0||(a<s&&(s=a),a>r&&(r=a))};for(let a of i){if(!a.visible)continue;let[l,c]=jp(a,t,e),h=["stems","markers","points"].includes(a.style);for(let u=l;u<c;u++)(!h||a.x[u]>=t&&a.x[u]<=e)&&o(a.y[u]);!n&&r>=s&&(a.style==="stems"||a.filled)&&o(0)}return r>=s?[s,r]:null}function ey(i,t,e){let{x:n,y:s,style:r}=i;if(!i.sorted||n.length===0)return null;if(r==="stems"||r==="markers"||r==="points")return n2(i,t,e);let o=Vs(n,t),a=i.jumps?i2(i,t,o,e):null;if(a)return{values:a};if(o===0||o===n.length&&t>n[o-1])return null;let l=o-1;return r==="steps"||o===n.length||n[o]===n[l]?em(s[l]):i.breaks.has(o)?null:em(s[l]+(t-n[l])/(n[o]-n[l])*(s[o]-s[l]))}var em=i=>Number.isNaN(i)?null:{values:[i]};function n2(i,t,e){let n=Vs(i.x,t),s=null;for(let r of[n-1,n])r>=0&&r<i.x.length&&Math.abs(i.x[r]-t)<=e&&(s===null||Math.abs(i.x[r]-t)<Math.abs(i.x[s]-t))&&(s=r);return s===null?null:em(i.y[s])}function i2(i,t,e,n){let{x:s,y:r}=i;for(let o of[e,e+1,e-1,e-2]){if(o<1||o>=s.length||s[o]!==s[o-1]||r[o]===r[o-1]||Math.abs(s[o]-t)>n)continue;let a=o-1,l=o;for(;a>0&&s[a-1]===s[o];)a--;for(;l+1<s.length&&s[l+1]===s[o];)l++;return Array.from(r.subarray(a,l+1)).filter((c,h,u)=>h===0||c!==u[h-1])}return null}function s2(i,t){let e={dashed:"7 4",dotted:"1.5 3.5","dash-dot":"7 3 1.5 3"},n=i.pattern?i.pattern.join(" "):e[i.dash],s=["markers","points"].includes(i.style),r=[];return i.style==="stems"?r.push(De("path",{d:"M12 12V4",stroke:t,"stroke-width":1.6}),De("circle",{cx:12,cy:4,r:2.4,fill:t})):i.style==="steps"?r.push(De("path",{d:"M2 9H9V3H16V7H22",fill:"none",stroke:t,"stroke-width":1.6,"stroke-dasharray":n})):s||r.push(De("path",{d:"M1 6H23",stroke:t,"stroke-width":2,"stroke-dasharray":n})),(s||i.style==="line-markers")&&r.push(De("circle",{cx:12,cy:6,r:2.6,fill:t})),De("svg",{viewBox:"0 0 24 12",width:24,height:12,"aria-hidden":"true"},r)}function ny(i,t,e,n){let s=i.map(c=>{let h=I("span",{class:"value"},""),u=I("span",{class:"swatch"}),f=I("button",{type:"button",class:"series","aria-pressed":"true",title:"show or hide"},u,I("span",{class:"name"},c.label),h);return f.addEventListener("click",()=>{c.series.visible=!c.series.visible,f.setAttribute("aria-pressed",String(c.series.visible)),n()}),{entry:c,button:f,value:h,mark:u,text:""}}),r=()=>s.forEach(c=>c.mark.replaceChildren(s2(c.entry.series,c.entry.colour())));r();let o=c=>c?e?c.values.map(h=>e[Math.round(h)]??te(h)).join(" → "):Nn(c.values.map(h=>te(h,4)).join(" → "),t):"–",a=c=>{for(let h of s){let u=h.entry.series.visible?o(c(h.entry.series)):"";u!==h.text&&(h.value.textContent=h.text=u)}},l=s.flatMap((c,h)=>{let u=c.entry.series.heading;return u&&u!==s[h-1]?.entry.series.heading?[I("span",{class:"legend-heading"},u),c.button]:[c.button]});return{element:I("div",{class:"legend"},l),show:a,paint:r}}function lf(i,t){let{range:e,pointer:n,clock:s}=t,r=()=>[e.low,e.high],o=(p,x)=>{n.set(null),e.set(p,x)},a=of({...i,gutter:t.gutter(),x:r(),y:i.limits(),hover:p=>n.set(p),cursorText:p=>Nn(so(r())(p),t.timeUnit),click:p=>s.seek(p),select:(p,x)=>o(p,x),reset:()=>o(...e.full),wheel:(p,x)=>e.zoom(p,x)}),{plot:l}=a,c=I("div",{class:"clock-line"});l.over.append(c),l.root.querySelector("canvas").setAttribute("aria-label",i.description);let h=()=>{c.style.display=s.t>=e.low&&s.t<=e.high?"":"none",c.style.transform=`translateX(${l.valToPos(s.t,"x").toFixed(2)}px)`},u=()=>{a.set(r(),i.limits()),h()},f=p=>l.setCursor(p===null?{left:-10,top:-10}:{left:l.valToPos(p,"x"),top:1},!1);l.hooks.setSize=[h];let d=[e.subscribe(()=>{u(),i.changed()}),n.subscribe(p=>{f(p),i.changed()})];return h(),{place:h,refresh:u,width:()=>l.over.clientWidth,dispose:()=>{d.forEach(p=>p()),a.dispose()}}}var r2=4;function iy(i,t,e,n){let{range:s,pointer:r,clock:o}=e,a=I("div",{class:"plot"}),l=i.series.map(p=>({series:p,label:Zs(p.name),colour:()=>i.colour(p)})),c=null,h=ny(l,i.unit,i.names,()=>{c.refresh(),u()}),u=()=>{let p=r.t===null?0:r2*(s.high-s.low)/c.width();h.show(x=>ey(x,r.t??o.t,p))},f=()=>{c=lf({host:a,height:a2(i,l.length),limits:()=>c2(i,t,s),log:i.log,names:i.names&&new Map(i.names.entries()),whole:i.series.every(p=>p.whole),xLabel:n?`t${e.timeUnit?` in ${e.timeUnit}`:""}`:"",description:u2(i,s),paint:p=>h2(p,i),changed:u},e),u()},d=[ui(()=>h.paint()),()=>c?.dispose()];return{element:o2(i,a,h),start:f,tick:()=>c.place(),read:u,dispose:()=>d.forEach(p=>p())}}function o2(i,t,e){let n=[i.note,l2(i)].filter(Boolean).join(" "),s=I("h4",{},Zs(i.label),i.unit&&I("span",{class:"unit"},` ${i.unit}`),i.title&&I("span",{class:"of"},i.title));return I("div",{class:"panel"},s,I("div",{class:"panel-body"},t,e.element),n&&I("p",{class:"quiet"},n))}var a2=(i,t)=>i.names?Math.max(110,46+24*i.names.length):Math.min(400,Math.max(200,22*t+90));function l2(i){if(!i.log)return"";let t=0;for(let e of i.series)for(let n of e.y)n<=0&&(t+=1);return t>0?`${ki(t,"value")} of 0 ${t===1?"has":"have"} no place on the logarithmic axis.`:""}function c2(i,t,e){if(i.names)return[-.5,i.names.length-.5];let n=t.flatMap(r=>r.series),s=nm(n,e.low,e.high,i.log)??(i.log?[.1,1]:[0,1]);for(let r of i.rules){if(r.vertical||i.log&&!(r.value>0))continue;let o=Math.max(s[1]-s[0],1e-300);(i.log||r.value>s[0]-2*o&&r.value<s[1]+2*o)&&(s[0]=Math.min(s[0],r.value),s[1]=Math.max(s[1],r.value))}return af(s[0],s[1],i.log)}function h2(i,t){let e=Fe();for(let n of t.times)jv(i,n.at,n.colour(),n.pattern);Qv(i,t.rules,e.muted,`${11*i.ratio}px ${tm}`);for(let n of t.series)n.visible&&Yv(i,n,t.colour(n))}function u2(i,t){let e=nm(i.series,t.low,t.high,i.log),n=e?`, from ${_i(e[0],i.unit)} to ${_i(e[1],i.unit)}`:"";return`${i.label}: ${i.series.map(s=>s.name).join(", ")}${n}`}var im=[["motion","Motion"],["reaction","Reactions"],["energy","Energy"],["residual","Residual"],["other","Further quantities"]],f2=2,d2=i=>[i.group,i.name,i.unit,i.log,(i.names??[]).join()].join(`
`);async function p2(i){let t=new Map;for(let[e,{panels:n}]of i.entries())for(let s of n??[]){let r=await Promise.all(s.series.map(a=>ty(a,s,e))),o=d2(s);t.has(o)||t.set(o,{group:s.group,panels:[]}),t.get(o).panels.push({...s,rules:s.rules??[],series:r,record:e})}return[...t.values()]}var sy=i=>{let{palette:t}=Fe();return t[Math.max(0,i-1)%t.length]};function ry(i,t,e){for(let n of i.series)n.name=n.label||i.label,n.heading="",n.shaded=!0,n.pattern=null;return{...i,times:[{at:_p(t[i.record]),colour:()=>Fe().event}],title:e?t[i.record].label:"",colour:n=>sy(n.colour)}}function m2(i,t){if(i.panels.length===1&&t.length===1)return ry(i.panels[0],t,!1);let e=i.panels.flatMap(l=>l.series),n=i.panels.every(l=>l.series.length===1),s=i.panels.length<=f2;for(let l of e){let c=t[l.record].label;l.name=n?c:l.label||i.panels[0].label,l.heading=n?"":c,l.shaded=s,l.pattern=t[l.record].pattern}let r=i.panels.flatMap(l=>l.rules),o=r.filter((l,c)=>r.findIndex(h=>JSON.stringify(h)===JSON.stringify(l))===c),a=[...new Set(i.panels.map(l=>l.note).filter(Boolean))].join(" ");return{...i.panels[0],series:e,rules:o,note:a,times:(s?i.panels:[]).map(l=>({at:_p(t[l.record]),colour:()=>Fe().event,pattern:t[l.record].pattern})),colour:l=>g2(l)?t[l.record].colour():sy(l.colour)}}var g2=i=>i.style==="markers"||i.style==="points";function x2(i,t){let{range:e}=i,n=(a,l,c)=>I("button",{type:"button",class:"tool","aria-label":l,title:l,onclick:c},Ni(a)),s=I("output",{class:"range","aria-live":"off"}),r=n("whole","Show the whole time",()=>e.reset()),o=()=>{let a=so([e.low,e.high]);s.textContent=`t = ${a(e.low)} … ${a(e.high)}${i.timeUnit?` ${i.timeUnit}`:""}`,r.disabled=e.whole()};return e.subscribe(o),o(),I("div",{class:"toolbar",role:"toolbar","aria-label":"Range of the time series"},t,s,n("left","Earlier",()=>e.pan(-.5)),n("right","Later",()=>e.pan(.5)),n("in","Zoom in",()=>e.zoom(.5,_2(i))),n("out","Zoom out",()=>e.zoom(2)),r)}function _2({clock:i,range:t}){return i.t>=t.low&&i.t<=t.high?i.t:void 0}function v2(i){return I("div",{class:"switch",role:"radiogroup","aria-label":"Records"},[["overlaid","Overlaid"],["beside","Side by side"]].map(([e,n],s)=>I("label",{},I("input",{type:"radio",name:"record-mode",value:e,checked:s===0,onchange:()=>i(e)}),I("span",{},n))))}function oy(i,t){let e=I("div",{class:"groups"}),n=[],s=[],r=new Map,o=f=>{n.forEach(d=>d.dispose()),n=[];for(let[d,p]of r){let x=s.filter(m=>(im.some(([g])=>g===m.group)?m.group:"other")===d);p.replaceChildren(...x.map((m,g)=>a(m,f,g===x.length-1)))}n.forEach(d=>d.start())},a=(f,d,p)=>{let x=d==="beside"?f.panels.map(g=>ry(g,i,!0)):[m2(f,i)],m=x.map(g=>iy(g,x,t,p));return n.push(...m),I("div",{class:x.length>1?"row beside":"row"},m.map(g=>g.element))},l=i.length>1,c=I("div",{class:"section-head"},I("h2",{id:"series"},"Time series"),x2(t,l&&v2(o))),h=I("section",{class:"series","aria-labelledby":"series"},c,e,I("p",{class:"quiet hint"},"Drag to zoom, double-click for the whole time, Ctrl and wheel to zoom at the cursor, click to set the clock.")),u=p2(i).then(f=>{s=f,t.gutter=()=>y2(s);for(let[d,p]of im){if(!s.some(m=>m.group===d||d==="other"&&!im.some(([g])=>g===m.group)))continue;let x=I("div",{class:"rows"});r.set(d,x),e.append(I("section",{class:"group","aria-labelledby":`group-${d}`},I("h3",{id:`group-${d}`},p),x,I("div",{class:"after",id:`after-${d}`})))}o("overlaid")});return{element:h,ready:u,tick:()=>n.forEach(f=>f.tick()),read:()=>n.forEach(f=>f.read())}}function y2(i){let t=Math.max(0,...i.flatMap(e=>e.panels.flatMap(n=>(n.names??[]).map(s=>s.length))));return Math.min(window.innerWidth<600?84:104,Math.max(Ol(),24+6.5*Math.min(12,t)))}var b2=340,M2=1e-9,S2=40,ay=i=>i.unit?`${i.name} in ${i.unit}`:i.name;async function w2(i,t,e){let n=[];for(let s of i){let r=s.state?.columns??[],o=h=>r.find(u=>u.name===h);if(!o(t)||!o(e))continue;let[a,l,c]=await Promise.all([on(s.state.t),on(o(t).values),on(o(e).values)]);n.push({record:s,t:a,x:l,y:c})}return n}function ly(i,t){let e=1/0,n=-1/0;for(let s of i)for(let r of s[t])r<e&&(e=r),r>n&&(n=r);return n>=e?af(e,n,!1):[0,1]}var T2=.4;function A2(i,t,e,n){let{pen:s,X:r,Y:o,ratio:a}=i,l=[];s.save(),s.strokeStyle=e,s.fillStyle=e,s.lineWidth=1.5*a,s.lineJoin="round",s.setLineDash((n??[]).map(u=>u*a)),s.beginPath();let c=NaN,h=NaN;for(let u=0;u<t.t.length;u++){let f=r(t.x[u]),d=o(t.y[u]);if(u>0&&t.t[u]===t.t[u-1]&&Math.hypot(r(t.x[u-1])-f,o(t.y[u-1])-d)>a)s.lineTo(r(t.x[u-1]),o(t.y[u-1])),l.push(u),s.moveTo(f,d);else if(Number.isNaN(c))s.moveTo(f,d);else{if(Math.hypot(f-c,d-h)<T2*a&&u<t.t.length-1)continue;s.lineTo(f,d)}c=f,h=d}s.stroke(),s.setLineDash([1.5*a,3*a]),s.lineWidth=a,s.globalAlpha=.7,s.beginPath();for(let u of l)s.moveTo(r(t.x[u-1]),o(t.y[u-1])),s.lineTo(r(t.x[u]),o(t.y[u]));s.stroke(),s.restore()}function E2(i,t,e,n){let{pen:s,X:r,Y:o,ratio:a}=i,l=t.t.length-1;s.save(),s.lineWidth=2*a,s.strokeStyle=e,s.fillStyle=n,s.beginPath(),s.arc(r(t.x[0]),o(t.y[0]),5*a,0,2*Math.PI),s.fill(),s.stroke();let c=8*a;s.beginPath(),s.rect(r(t.x[l])-c/2,o(t.y[l])-c/2,c,c),s.fill(),s.stroke(),s.restore()}function C2(i,t){let e=Vs(i.t,t),n=Math.max(0,e-1);if(e===0||e===i.t.length)return[i.x[n],i.y[n]];let s=(t-i.t[n])/(i.t[e]-i.t[n]);return[i.x[n]+s*(i.x[e]-i.x[n]),i.y[n]+s*(i.y[e]-i.y[n])]}function R2(i,t,e,n){let s=null,r=1/0;for(let o of i)for(let a=0;a<o.t.length;a++){let l=Math.hypot(t.valToPos(o.x[a],"x")-t.valToPos(e,"x"),t.valToPos(o.y[a],"y")-t.valToPos(n,"y"));l<r&&([r,s]=[l,o.t[a]])}return r<40?s:null}function P2(i,t,e,n){let s=I("select",{},t.map(r=>I("option",{value:r,selected:r===e},r)));return s.addEventListener("change",()=>n(s.value)),I("label",{},`${i} `,s)}function I2(i,t,e,n){let s={x:e[0],y:e[1]},r=I("div",{class:"plot"}),o=I("output",{class:"quiet phase-read","aria-live":"off"}),a=(x,m)=>P2(m,t,s[x],g=>{s[x]=g,p()}),l=I("div",{class:"phase"},I("div",{class:"phase-head"},a("x","Across"),a("y","Up"),o),r),c=null,h=[],u=[],f=()=>{c&&h.forEach((x,m)=>{let[g,b]=C2(x,n.t);u[m].style.transform=`translate(${c.plot.valToPos(g,"x").toFixed(2)}px, ${c.plot.valToPos(b,"y").toFixed(2)}px)`})},d=()=>u.forEach((x,m)=>{x.style.background=Fe().palette[0],x.title=h[m].record.label??""}),p=async()=>{let x=await w2(i,s.x,s.y);if(c?.dispose(),h=x,h.length===0)return;let m=()=>[ly(h,"x"),ly(h,"y")],g=E=>h[0].record.state.columns.find(_=>_.name===E),[b,S]=[g(s.x),g(s.y)],[y,C]=m();c=of({host:r,height:b2,x:y,y:C,dragY:!0,xLabel:ay(b),yLabel:ay(S),paint:E=>{let[_]=Fe().palette;for(let A of h)A2(E,A,_,A.record.pattern);for(let A of h)E2(E,A,_,Fe().paper)},hover:(E,_)=>{o.textContent=E===null?"":`${Nn(te(E,4),b.unit)}, ${Nn(te(_,4),S.unit)}`},click:(E,_)=>{let A=R2(h,c.plot,E,_);A!==null&&n.seek(A)},select:(E,_,A,B)=>{c.set([E,_],[A,B]),f()},reset:()=>{c.set(...m()),f()}}),c.plot.root.querySelector("canvas").setAttribute("aria-label",`${s.y} over ${s.x}`),u=h.map(()=>I("div",{class:"phase-dot"})),c.plot.over.append(...u),c.plot.hooks.setSize=[f],d(),f()};return ui(d),{element:l,build:p,tick:f}}async function L2(i){let t=1/0,e=-1/0;for(let n of await on(i.values))n<t&&(t=n),n>e&&(e=n);return Math.max(0,e-t)}async function D2(i){let t=(i.state?.columns??[]).slice(0,S2),e=await Promise.all(t.map(L2)),n=new Map;return t.forEach(({unit:s},r)=>n.set(s,Math.max(n.get(s)??0,e[r]))),t.filter(({unit:s},r)=>e[r]>M2*n.get(s)).map(({name:s})=>s)}function N2(i){let t=r=>i.find(o=>o===`${r}'`||o===r.replace(/([^.]*)$/,"v$1")),e=[],n=i.find(r=>t(r));n&&e.push([n,t(n)]);let s=i.filter(r=>!r.endsWith("'"));return s.length>1&&e.push([s[0],s[1]]),e.length===0&&i.length>1&&e.push([i[0],i[1]]),e}function cy(i,t){let e=[...new Set(i.flatMap(a=>(a.state?.columns??[]).map(l=>l.name)))];if(e.length<2)return null;let n=[],s=I("div",{class:"phase-grid"});return{element:I("section",{class:"phases","aria-labelledby":"phase"},I("h2",{id:"phase"},"Phase plots"),I("p",{class:"quiet"},"Ring: start. Square: end. Dot: now. Dotted: jumps."),s),ready:(async()=>{let a=await D2(i.find(l=>l.state?.columns?.length>1)??i[0]);n=N2(a.length>1?a:e).map(l=>I2(i,e,l,t)),s.append(...n.map(l=>l.element)),await Promise.all(n.map(l=>l.build()))})(),tick:()=>n.forEach(a=>a.tick())}}var U2=30;function uy(i,t){let{palette:e,muted:n}=Fe();return{proved:e[2],sampled:e[5],assumed:e[4],open:e[1]}[i]??e[t%8]??n}async function F2(i){let{t,t_end:e,proof:n,bound:s}=i.proofs,[r,o,a,l]=await Promise.all([on(t),on(e),on(n),on(s)]);return{record:i,from:r,to:o,kind:a,bound:l,labels:i.proofs.labels}}function O2(i,t,e){let{pen:n,X:s,Y:r}=i,o=r(-e+.38),a=r(-e-.38)-o,l=t.labels.map((c,h)=>h).sort((c,h)=>hy(t.labels[h])-hy(t.labels[c]));for(let c of l){n.fillStyle=uy(t.labels[c],c);for(let h=0;h<t.from.length;h++){if(t.kind[h]!==c||t.to[h]<i.x[0]||t.from[h]>i.x[1])continue;let u=s(t.from[h]),f=s(t.to[h])-u;n.fillRect(u,o,Math.max(1,f-(f>6*i.ratio?i.ratio:0)),a)}}}var hy=i=>["open","assumed","sampled","proved"].indexOf(i);function B2(i){let t=[];for(let e of i)e.labels.forEach((n,s)=>{let r=0,o=0,a=NaN;for(let l=0;l<e.from.length;l++)e.kind[l]!==s||e.to[l]===e.from[l]||(r+=1,o+=e.to[l]-e.from[l],e.bound.length>l&&!(e.bound[l]<=a)&&!Number.isNaN(e.bound[l])&&(a=e.bound[l]));r>0&&t.push({proofs:e,label:n,k:s,arcs:r,time:o,worst:a})});return t}function fy(i,t){let e=I("span",{class:"chip"}),n=()=>e.style.setProperty("--chip",uy(i,t));return n(),ui(n),e}function z2(i,t){let e=[t&&"record","proof","arcs","time","largest bound of the defect"].filter(Boolean),n=new Set(["arcs","time","largest bound of the defect"]);return I("div",{class:"table-wrap"},I("table",{},I("thead",{},I("tr",{},e.map(s=>I("th",{scope:"col",class:n.has(s)&&"number"},s)))),I("tbody",{},B2(i).map(s=>I("tr",{},t&&I("td",{},s.proofs.record.label),I("td",{},fy(s.label,s.k),s.label),I("td",{class:"number"},te(s.arcs)),I("td",{class:"number"},_i(s.time,s.proofs.record.time_unit)),I("td",{class:"number"},te(s.worst,3)))))))}function k2(i,t,e){let n=Vs(i.from,t)-1;if(n<0||t>i.to[n])return"";let{label:s,time_unit:r}=i.record,o=Number.isFinite(i.bound[n])?`, defect at most ${te(i.bound[n],3)}`:"",a=`from ${te(i.from[n],6)} to ${_i(i.to[n],r,6)}`;return`${e?`${s}: `:""}arc ${n+1} ${a}: ${i.labels[i.kind[n]]??""}${o}`}function G2(i,t,e,n){let s=i.length,r=i.map(o=>s>1?ig(o.record.label):"arcs");return lf({host:t,height:44+U2*s,limits:()=>[-s+.5,.5],names:new Map(r.map((o,a)=>[-a,o])),description:"what is proved of each arc, over time",paint:o=>i.forEach((a,l)=>O2(o,a,l)),changed:n},e)}function dy(i,t){let e=i.filter(u=>u.proofs);if(e.length===0)return null;let n=I("div",{class:"plot"}),s=I("p",{class:"quiet proof-read"}),r=e[0].proofs.labels.map((u,f)=>I("span",{},fy(u,f),u)),o=I("section",{class:"proofs","aria-labelledby":"proofs"},I("h2",{id:"proofs"},"Proofs of the arcs"),I("div",{class:"panel"},I("div",{class:"panel-body"},n,I("div",{class:"legend key"},r))),s),a=null,l=[],c=()=>{let u=l.map(f=>k2(f,t.pointer.t??t.clock.t,l.length>1));s.textContent=u.filter(Boolean).join(" · ")},h=Promise.all([Promise.all(e.map(F2)),t.opened]).then(([u])=>{l=u,a=G2(l,n,t,c),o.append(z2(l,l.length>1)),c()});return{element:o,ready:h,tick:()=>a?.place(),read:c}}var V2=100;function H2(i){let t=i.map(e=>e.title||e.name);return i.map((e,n)=>{let s=t.filter(r=>r===t[n]).length===1;return{...e,label:s?t[n]:e.name||`record ${n+1}`,colour:()=>Fe().palette[n%8],pattern:qx(n)}})}function W2(i){let t=i.map(e=>e.span).filter(e=>e&&Number.isFinite(e[0])&&Number.isFinite(e[1]));return t.length>0?[Math.min(...t.map(e=>e[0])),Math.max(...t.map(e=>e[1]))]:[0,1]}function X2(i){let t=i.map(e=>e.opens).filter(Number.isFinite);return t.length>0?Math.min(...t):-1/0}function cf(i,t){let e=n=>I("p",{class:"failed",role:"alert"},`${i}: ${n?.message??n}`);try{let n=t();return n?.ready?.catch(s=>n.element.append(e(s))),n}catch(n){return{element:e(n)}}}function q2(i,t){let{clock:e}=t,s=i.some(r=>r.panels?.length)?cf("time series",()=>oy(i,t)):null;return t.opened=s?.ready?.catch(()=>{}),{series:s,phase:cf("phase plots",()=>cy(i,e)),proofs:cf("proofs",()=>dy(i,t)),events:cf("events",()=>__(i,e))}}function Y2(i,t){let e=[[t.series?.element,"series","Time series"],[t.phase?.element,"phase","Phase plots"],[t.proofs?.element,"proofs","Proofs"],[t.events?.element,"events","Events"],[h_(i),"notes","Notes"],[u_(i),"scene","Scene"]].filter(([r])=>r),n=Qx(i),s=n&&I("section",{class:"ledger-section"},n);return Promise.resolve(t.series?.ready).catch(()=>{}).then(()=>s&&document.getElementById("after-energy")?.append(s)),[o_(e.map(([,r,o])=>[r,o])),...e.map(([r])=>r),s]}function $2(i,t){let e=I("div",{class:"stage"}),n=Wx(i,t,e),s=I("p",{class:"quiet"},"There is no moving picture of this: the notes below say why.");return{element:I("section",{class:"moving","aria-label":"Motion"},n.empty?s:e),stage:n}}function Z2(i){let t=Sm(),e=H2(t.records),n=new _r(W2(e));n.open(X2(e));let s=e[0]?.time_unit??"",r={clock:n,range:new Gu(n.span),pointer:new Vu,timeUnit:s,gutter:Ol},o=p_(e),a=g_(),l=$2(e,n),c=q2(e,r),h=[r_(t,e,a.open),c_(e,n),l.element,m_(e,n,o,s),...Y2(e,c),I("footer",{},`Written by thud ${t.thud_version??""}. Everything is in this file; it needs no network.`),a.element];i.append(...h.filter(Boolean)),x_(n,o,{help:a.open,theme:$l}),J2(n,l.stage,Object.values(c).filter(Boolean))}function J2(i,t,e){let n=null,s=!0,r=0;i.subscribe((a,l)=>{l==="time"&&(s=!0)});let o=a=>{if(n!==null&&i.advance(Math.min(.1,(a-n)/1e3)),n=a,t.update(i.t,i.playing),s){let l=!i.playing||a-r>V2;for(let c of e)c.tick?.(),l&&c.read?.();l&&(r=a),s=!l}requestAnimationFrame(o)};requestAnimationFrame(o)}var py=document.getElementById("app");Pm();try{Z2(py)}catch(i){py.append(I("p",{class:"failed",role:"alert"},`This page cannot be shown: ${i.message}`))}})();
