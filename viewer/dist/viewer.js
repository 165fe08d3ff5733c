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
(()=>{var qa=new Map;function Ad(){let i=JSON.parse(document.getElementById("thud-page").textContent);if(i.format!=="thud-page"||i.version!==1)throw new Error(`this viewer reads thud-page 1, not ${i.format} ${i.version}`);return i}async function dn(i){if(i==null)return new Float64Array(0);if(Array.isArray(i))return Float64Array.from(i,n=>n===null?NaN:n);let t=await kx(i.b);if(i.t==="q")return $a(t,i);if(i.t==="f64s")return Vx(t,i.o,i.n);let e={f64:Float64Array,f32:Float32Array,i32:Int32Array,u32:Uint32Array,u8:Uint8Array};if(!e[i.t])throw new Error(`numbers of type ${i.t} are unknown`);return new e[i.t](t.buffer,t.byteOffset+i.o,i.n)}function Ed(i){qa.delete(i)}function kx(i){return qa.has(i)||qa.set(i,zx(i)),qa.get(i)}async function zx(i){let t=document.getElementById(`thud-block-${i}`);if(!t)throw new Error(`block ${i} of the page is missing`);let e=Ya(t.textContent.trim()),n=new Blob([e]).stream().pipeThrough(new DecompressionStream("deflate-raw"));return new Uint8Array(await new Response(n).arrayBuffer())}function Ya(i){if(typeof Uint8Array.fromBase64=="function")return Uint8Array.fromBase64(i);let t=new Uint8Array(128),e="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";for(let r=0;r<64;r++)t[e.charCodeAt(r)]=r;let n=i.length;for(;n>0&&i.charCodeAt(n-1)===61;)n--;let s=new Uint8Array(Math.floor(n*3/4));for(let r=0,o=0;r<n;r+=4,o+=3){let a=t[i.charCodeAt(r)]<<18|t[i.charCodeAt(r+1)]<<12|(r+2<n?t[i.charCodeAt(r+2)]:0)<<6|(r+3<n?t[i.charCodeAt(r+3)]:0);s[o]=a>>16,s[o+1]=a>>8,s[o+2]=a}return s}function Vx(i,t,e){let n=new Uint8Array(8*e);for(let s=0;s<8;s++)for(let r=0,o=t+s*e;r<e;r++)n[8*r+s]=i[o+r];return new Float64Array(n.buffer)}function $a(i,t){let{rows:e,cols:n,planes:s,order:r}=t,o=t.o,a=e*n,l=Array.isArray(t.step)?t.step:[t.step],c=Array.isArray(t.low)?t.low:[t.low],h=new Int32Array(n),u=new Int32Array(n),f=new Float32Array(a);for(let d=0,g=0;d<e;d++)for(let v=0;v<n;v++,g++){let m=0;for(let S=0;S<s;S++)m|=i[o+S*a+g]<<8*S;let p=m>>>1^-(m&1);r===2&&d>1?(u[v]+=p,p=h[v]+u[v]):r>0&&d>0&&(u[v]=p,p+=h[v]),h[v]=p,f[g]=c[v%c.length]+l[v%l.length]*p}return f}var Za=[.125,.25,.5,1,2,4,8],Qs=class{constructor(t){this.span=t[1]>t[0]?[t[0],t[1]]:[t[0],t[0]+1e-300],this.t=this.span[0],this.playing=!1,this.loop=!1,this.speed=1,this.base=Gx(this.span[1]-this.span[0]),this.listeners=new Set}subscribe(t){return this.listeners.add(t),()=>this.listeners.delete(t)}tell(t){for(let e of this.listeners)e(this,t)}seek(t){let e=Math.min(this.span[1],Math.max(this.span[0],t));e!==this.t&&(this.t=e,this.tell("time"))}play(){this.playing||(this.t>=this.span[1]&&this.seek(this.span[0]),this.playing=!0,this.tell("playing"))}pause(){this.playing&&(this.playing=!1,this.tell("playing"))}toggle(){this.playing?this.pause():this.play()}setLoop(t){this.loop=t,this.tell("loop")}setSpeed(t){this.speed=t,this.tell("speed")}shiftSpeed(t){let e=Za.indexOf(this.speed),n=Za[Math.min(Za.length-1,Math.max(0,(e<0?3:e)+t))];this.setSpeed(n)}rate(){return this.base*this.speed}advance(t){if(!this.playing)return;let e=this.t+t*this.rate();e<this.span[1]?this.seek(e):this.loop?this.seek(this.span[0]):(this.seek(this.span[1]),this.pause())}};Qs.SPEEDS=Za;function Gx(i){if(i>=2&&i<=60)return 1;let t=i/10,e=10**Math.floor(Math.log10(t));for(let n of[1,2,5])if(n*e>=t/1.5)return n*e;return 10*e}function D(i,t={},...e){return Cd(document.createElement(i),t,e)}function En(i,t={},...e){return Cd(document.createElementNS("http://www.w3.org/2000/svg",i),t,e)}function Cd(i,t,e){for(let[n,s]of Object.entries(t))s==null||s===!1||(n.startsWith("on")&&typeof s=="function"?i.addEventListener(n.slice(2),s):i.setAttribute(n,s===!0?"":String(s)));for(let n of e.flat(1/0))n!=null&&n!==!1&&i.append(n instanceof Node?n:document.createTextNode(String(n)));return i}var Rd=0;function Ja(i){return Rd+=1,`${i}-${Rd}`}var Hx={dark:!1,ink:"#1d2329",paper:"#ffffff",muted:"#69737d",faint:"#e6e9ec",event:"#b9a27c",accent:"#0b5e8f",palette:["#0072b2","#d55e00","#009e73","#c0609a","#d08f00","#3fa0d8","#1d2329","#b8a800"],paints:{body:"#3f6f9e",obstacle:"#5a6068",force:"#c8102e",velocity:"#009e73",set:"#d08f00",trace:"#8a949e",stick:"#0072b2",slip:"#d55e00",guide:"#9aa3ab",normal:"#8450a8",field:"#2a8a94"}},Wx={dark:!0,ink:"#e6e9ec",paper:"#15191d",muted:"#98a2ab",faint:"#2a3137",event:"#8a7550",accent:"#6cb8e6",palette:["#4aa3df","#f28544","#2fc49a","#e08fc0","#f0b840","#8fd0f5","#e6e9ec","#f0e442"],paints:{body:"#7fb0dd",obstacle:"#8d959d",force:"#ff6b78",velocity:"#2fc49a",set:"#f0b840",trace:"#6d7780",stick:"#4aa3df",slip:"#f28544",guide:"#69737c",normal:"#c09ae0",field:"#5cc4ce"}},Gh=new Set,Pd=window.matchMedia("(prefers-color-scheme: dark)"),Id=null,Ld=!1,Ge=()=>!Ld&&(Id??(Pd.matches?"dark":"light"))==="dark"?Wx:Hx;function Gn(i){return Gh.add(i),()=>Gh.delete(i)}function Ka(){document.documentElement.dataset.theme=Ge().dark?"dark":"light";for(let i of Gh)i(Ge())}function ja(){Id=Ge().dark?"light":"dark",Ka()}function Nd(){let i=t=>{Ld=t,Ka()};Pd.addEventListener("change",Ka),window.addEventListener("beforeprint",()=>i(!0)),window.addEventListener("afterprint",()=>i(!1)),Ka()}var Dd={light:["#440154","#46327e","#365c8d","#277f8e","#1fa187","#4ac16d","#a0da39","#fde725"],dark:["#5c4fa3","#4a70bb","#3b92b5","#30b0a0","#52c878","#a4dd45","#fdec4a"]},Ud={light:["#c9d3dc","#e8cf9c","#f4a85a","#ea6a35","#c32a2f","#7a0f3c"],dark:["#39434d","#5b3f63","#a03a5e","#dd5b42","#f6a03a","#fdf0a8"]},wi=i=>[1,3,5].map(t=>parseInt(i.slice(t,t+2),16)/255),Hn=i=>`rgb(${i.map(t=>Math.round(255*t)).join(" ")})`,tr=(i,t,e)=>i.map((n,s)=>n+e*(t[s]-n));function Fd(i){let t=i.map(wi);return Array.from({length:64},(e,n)=>{let s=n/63*(t.length-1),r=Math.min(t.length-2,Math.floor(s));return tr(t[r],t[r+1],s-r)})}var Bd=[{name:"body",label:"body"},{name:"speed",label:"speed"},{name:"force",label:"contact force"},{name:"residual",label:"worst contact"}],Qa=class{constructor(t,e,n,s){Object.assign(this,{bodies:t,contacts:e,worst:n,timeUnit:s}),this.rgb=new Float32Array(3*t.count),this.load=new Float32Array(t.count),this.key=null,this.version=0,this.bar=null,this.top=0}setTheme(t){this.theme=t,this.ink=wi(t.ink),this.paper=wi(t.paper),this.palette=t.palette.slice(0,6).map(e=>tr(wi(e),t.dark?this.paper:[1,1,1],t.dark?.1:.2)),this.fixed=t.dark?[.42,.45,.48]:[.87,.88,.89],this.driven=t.dark?[.54,.57,.6]:[.7,.72,.74],this.neutral=t.dark?[.36,.4,.44]:[.8,.83,.86],this.speedRamp=Fd(t.dark?Dd.dark:Dd.light),this.heatRamp=Fd(t.dark?Ud.dark:Ud.light),this.key=null}update(t,e){let{bodies:n}=this;t==="speed"&&this.growTop(n.chunks.speedQuantile(.97));let s=t==="speed"?`${n.frame} ${n.chunks.version}`:t==="body"?"":n.nearest,r=`${t} ${s} ${e} ${this.contacts.ready} ${this.top}`;return r===this.key?!1:(this.key=r,this.version+=1,this.bar=null,this.paint(t),e>=0&&this.put(e,tr(this.get(e),wi(this.theme.accent),.75)),!0)}paint(t){t==="body"?this.byBody():(this.plain(),t==="speed"?this.bySpeed():t==="force"?this.byForce():this.byResidual())}growTop(t){let e=Od(t);e>this.top&&(this.top=e)}put(t,e){this.rgb.set(e,3*t)}get(t){return Array.from(this.rgb.subarray(3*t,3*t+3))}byBody(){let t=this.bodies.count<13;for(let e=0;e<this.bodies.count;e++){let n=t?e:Math.imul(e,2654435769)>>>16;this.put(e,this.standing(e)??this.palette[n%this.palette.length])}}standing(t){let e=this.bodies.roles[t];return e===1?this.fixed:e===2?this.driven:null}plain(){for(let t=0;t<this.bodies.count;t++)this.put(t,this.standing(t)??this.neutral)}level(t,e){return t[Math.max(0,Math.min(63,Math.round(e*63)))]}bySpeed(){let{source:t}=this.bodies,e=this.top>0?1/this.top:0;this.bodies.eachSpeed((s,r)=>{this.bodies.roles[s]===0&&this.put(s,this.level(this.speedRamp,r*e))});let n=`${t.length_unit??"m"}/${this.timeUnit}`;this.bar={label:"speed",unit:n,low:0,high:this.top||1,more:!0,colours:this.speedRamp}}byForce(){if(!this.contacts.ready)return;this.contacts.loads(this.bodies.nearest,this.load);let t=Od(this.contacts.typicalLoad)||1;for(let n=0;n<this.bodies.count;n++)this.bodies.roles[n]===0&&this.put(n,this.level(this.heatRamp,this.load[n]/t));let e=this.bodies.source.force_unit??"N";this.bar={label:"contact forces",unit:e,low:0,high:t,more:!0,colours:this.heatRamp}}byResidual(){let t=this.worst?.(this.bodies.nearest);if(!t||!(t.residual>0))return;let{low:e,high:n}=t,s=n>e?Math.log(t.residual/e)/Math.log(n/e):1,r=this.level(this.heatRamp,.25+.75*s);for(let a of[t.a,t.b])a>=0&&this.put(a,r);let o=this.heatRamp.slice(Math.round(.25*63));this.bar={label:"residual of the worst contact",unit:"",low:e,high:n,log:!0,colours:o}}};function Od(i){if(!(i>0))return 0;let t=10**Math.floor(Math.log10(i)+1e-9);for(let e of[1,1.5,2,3,5,7])if(e*t>=i*(1-1e-9))return e*t;return 10*t}function Pr(i){let t=10**Math.floor(Math.log10(i));return t*(i/t>=5?5:i/t>=2?2:1)}var Ir=class{constructor(t){this.canvas=t,this.pen=t.getContext("2d",{alpha:!1}),this.ratio=1}resize(t,e){this.ratio=Math.min(window.devicePixelRatio||1,2),this.size=[t,e],this.canvas.width=Math.max(1,Math.round(t*this.ratio)),this.canvas.height=Math.max(1,Math.round(e*this.ratio))}setTheme(t){this.theme=t,this.hatches=new Map}clear(){let{pen:t}=this;t.setTransform(this.ratio,0,0,this.ratio,0,0),t.globalAlpha=1,t.fillStyle=this.theme.paper,t.fillRect(0,0,this.size[0],this.size[1]),t.lineJoin="round",t.lineCap="round"}hatch(t){let e=Hn(t);return this.hatches.has(e)||this.hatches.set(e,this.makeHatch(t)),this.hatches.get(e)}makeHatch(t){let e=Math.round(8*this.ratio),n=document.createElement("canvas");n.width=e,n.height=e;let s=n.getContext("2d");s.fillStyle=Hn(t),s.fillRect(0,0,e,e),s.strokeStyle=Hn(tr(t,wi(this.theme.ink),.22)),s.lineWidth=this.ratio;for(let o=-1;o<=1;o++)s.moveTo(o*e-2,e+2),s.lineTo(o*e+e+2,-2);s.stroke();let r=this.pen.createPattern(n,"repeat");return r.setTransform(new DOMMatrix([1/this.ratio,0,0,1/this.ratio,0,0])),r}arrows(t,e){let{pen:n}=this;n.beginPath();for(let s=0;s<t;s++){let[r,o,a,l]=e.subarray(4*s,4*s+4),c=Math.hypot(a-r,l-o);if(!(c>.5))continue;let h=Math.min(8,.4*c)/c,[u,f]=[(a-r)*h,(l-o)*h];n.moveTo(r,o),n.lineTo(a,l),n.moveTo(a-u-.5*f,l-f+.5*u),n.lineTo(a,l),n.lineTo(a-u+.5*f,l-f-.5*u)}n.strokeStyle=this.theme.paints.force,n.lineWidth=t>3e3?1:1.8,n.stroke()}spring(t,e,n,s){let{pen:r}=this,o=8,a=Math.hypot(n-t,s-e)||1,[l,c]=[-(s-e)/a*5,(n-t)/a*5];r.beginPath(),r.moveTo(t,e);for(let h=0;h<o;h++){let u=.15+.7*(h+.5)/o,f=h%2===0?1:-1;r.lineTo(t+u*(n-t)+f*l,e+u*(s-e)+f*c)}r.lineTo(n,s),r.strokeStyle=this.theme.muted,r.lineWidth=1.4,r.stroke()}};var Ne=(i,t)=>i[0]*t[0]+i[1]*t[1]+i[2]*t[2],Ti=(i,t)=>[i[0]-t[0],i[1]-t[1],i[2]-t[2]],ei=(i,t,e=1)=>[i[0]+e*t[0],i[1]+e*t[1],i[2]+e*t[2]],Xi=(i,t)=>[i[1]*t[2]-i[2]*t[1],i[2]*t[0]-i[0]*t[2],i[0]*t[1]-i[1]*t[0]],Ls=i=>{let t=Math.hypot(i[0],i[1],i[2]);return t>0?[i[0]/t,i[1]/t,i[2]/t]:[0,0,0]};function In([i,t,e,n],s){let r=2*(e*s[2]-n*s[1]),o=2*(n*s[0]-t*s[2]),a=2*(t*s[1]-e*s[0]);return[s[0]+i*r+e*a-n*o,s[1]+i*o+n*r-t*a,s[2]+i*a+t*o-e*r]}var Hh=([i,t,e,n],s)=>In([i,-t,-e,-n],s);function Wh(i,t,e){let n=In(i.subarray(t+3,t+7),e);return[i[t]+n[0],i[t+1]+n[1],i[t+2]+n[2]]}function ls(i,t){let e=i.partPose.subarray(7*t,7*t+7),n=7*i.partBody[t],s=Wh(i.pose,n,e),[r,o,a,l]=i.pose.subarray(n+3,n+7),[c,h,u,f]=e.subarray(3);return[...s,r*c-o*h-a*u-l*f,r*h+o*c+a*f-l*u,r*u-o*f+a*c+l*h,r*f+o*u-a*h+l*c]}var Lr=class{constructor(t){this.bodies=t,this.reach=t.shapes.map(Xx),this.many=t.partBody.length}pick({from:t,along:e}){let n={body:-1,at:1/0},s={body:-1,at:1/0};for(let r=0;r<this.many;r++){let o=this.bodies.partBody[r],a=this.bodies.roles[o]===0?n:s;if(!this.near(r,t,e,a.at))continue;let l=this.meet(r,t,e);l<a.at&&Object.assign(a,{body:o,at:l})}return n.body>=0?n.body:s.body}near(t,e,n,s){let r=7*this.bodies.partBody[t],o=7*t,{pose:a,partPose:l}=this.bodies,c=this.reach[this.bodies.partShape[t]]+Math.hypot(l[o],l[o+1],l[o+2]),h=a[r]-e[0],u=a[r+1]-e[1],f=a[r+2]-e[2],d=h*n[0]+u*n[1]+f*n[2];return h*h+u*u+f*f-d*d<=c*c&&d+c>0&&d-c<s}meet(t,e,n){let s=this.bodies.shapes[this.bodies.partShape[t]];if(s.endless)return 1/0;let r=ls(this.bodies,t),o=r.slice(3),a=Hh(o,Ti(e,r)),l=Hh(o,n);return s.kind==="sphere"?kd(a,l,[1,1,1],s.radius>0?s.radius:this.reach[this.bodies.partShape[t]]):s.kind==="ellipsoid"&&s.half?kd(a,l,s.half,1):s.kind==="box"&&s.half?qx(a,l,s.half):s.triangles?Yx(a,l,s):1/0}};function Xx(i){if(i.endless)return 0;if(i.kind==="sphere")return i.radius;if(i.half)return Math.hypot(...i.half);let t=0;for(let e=0;i.points&&e+2<i.points.length;e+=3)t=Math.max(t,Math.hypot(i.points[e],i.points[e+1],i.points[e+2]));return t}function kd(i,t,e,n){let s=i.map((h,u)=>h/e[u]),r=t.map((h,u)=>h/e[u]),[o,a,l]=[Ne(r,r),Ne(s,r),Ne(s,s)-n*n],c=a*a-o*l;return c>=0?(-a-Math.sqrt(c))/o:1/0}function qx(i,t,e){let n=0,s=1/0;for(let r=0;r<3;r++){let o=(-e[r]*Math.sign(t[r]||1)-i[r])/(t[r]||1e-30),a=(e[r]*Math.sign(t[r]||1)-i[r])/(t[r]||1e-30);n=Math.max(n,o),s=Math.min(s,a)}return n<=s?n:1/0}function Yx(i,t,{points:e,triangles:n}){let s=1/0,r=o=>[e[3*o],e[3*o+1],e[3*o+2]];for(let o=0;o<n.length;o+=3){let a=r(n[o]),l=Ti(r(n[o+1]),a),c=Ti(r(n[o+2]),a),h=Xi(t,c),u=Ne(l,h);if(Math.abs(u)<1e-30)continue;let f=Ti(i,a),d=Ne(f,h)/u,g=Xi(f,l),v=Ne(t,g)/u,m=Ne(c,g)/u;d>=0&&v>=0&&d+v<=1&&m>0&&m<s&&(s=m)}return s}function Nr(i,t){return i.springs.forEach((e,n)=>{t.set(zd(i,e.a,e.point_a),6*n),t.set(zd(i,e.b,e.point_b),6*n+3)}),t}function zd(i,t,e){let n=[e[0],e[1],e[2]??0];return t>=0?Wh(i.pose,7*t,n):n}var $x=40,Zx=[[0,0,1],[0,0,-1],[0,1,0],[0,-1,0],[1,0,0],[-1,0,0]],tl=class{constructor(t,e,n,s){Object.assign(this,{canvas:t,bodies:e,contacts:n,camera:s}),s.setPerspective(!1),this.sheet=new Ir(t),this.picker=new Lr(e),this.depths=new Float32Array(e.partBody.length),this.order=[];for(let r=0;r<e.partBody.length;r++)e.shapes[e.partShape[r]].endless||this.order.push(r);this.floors=Array.from(e.partBody.keys()).filter(r=>e.shapes[e.partShape[r]].endless),this.springs=new Float32Array(6*e.springs.length),this.forces=null}setTheme(t){this.sheet.setTheme(t),this.theme=t}resize(t,e){this.sheet.resize(t,e)}draw(t){let{camera:e,bodies:n}=this;Object.assign(this,e.axes()),this.scale=e.size[1]/e.height,this.sheet.clear();for(let s of this.floors)this.drawFloor(s);for(let s of this.order){let r=7*n.partBody[s],o=n.roles[n.partBody[s]]!==0;this.depths[s]=o?-1/0:Ne(n.pose.subarray(r,r+3),this.toward)}this.order.sort((s,r)=>this.depths[s]-this.depths[r]||0);for(let s of this.order)this.drawPart(s,t);this.sheet.pen.globalAlpha=1,this.drawSprings(),t.arrows&&this.drawForces(t.arrows)}toScreen(t){let{target:e,size:n}=this.camera,s=[t[0]-e[0],t[1]-e[1],t[2]-e[2]];return[n[0]/2+this.scale*Ne(s,this.right),n[1]/2-this.scale*Ne(s,this.top)]}drawPart(t,e){let{bodies:n}=this,{pen:s}=this.sheet,r=n.partBody[t],o=n.shapes[n.partShape[t]],a=Array.from(e.rgb.subarray(3*r,3*r+3)),l=ls(n,t);s.globalAlpha=e.arrows&&n.roles[r]===0?.55:1,s.strokeStyle=Hn(tr(a,[0,0,0],.55)),s.lineWidth=.8,o.kind==="sphere"?this.drawBall(l,o,a):o.half?.length===3&&o.kind==="box"?this.drawBox(l,o.half,a):o.triangles&&o.triangles.length<=3*$x?this.drawFaces(l,o,a):this.drawHull(l,o,a)}drawBall(t,e,n){let{pen:s}=this.sheet,r=Math.max(1.5,e.radius*this.scale),[o,a]=this.toScreen(t),[l,c]=this.sheet.size;o<-r||a<-r||o>l+r||a>c+r||(s.beginPath(),s.arc(o,a,r,0,2*Math.PI),s.fillStyle=Hn(n),s.fill(),!(r<3)&&(s.stroke(),this.drawMark(t,o,a,r)))}drawMark(t,e,n,s){let{pen:r}=this.sheet,o=In(t.slice(3),[0,0,1]),[a,l,c]=[Ne(o,this.right),-Ne(o,this.top),Ne(o,this.toward)],h=Math.atan2(l,a);r.beginPath(),r.ellipse(e,n,s*Math.abs(c),s,h,c>0?Math.PI/2:-Math.PI/2,c>0?1.5*Math.PI:Math.PI/2),r.stroke()}brightness(t){return .62+.3*Math.max(0,Ne(t,this.camera.up))+.14*Math.max(0,Ne(t,this.right)*-.5+Ne(t,this.toward)*.8)}face(t,e,n){let{pen:s}=this.sheet;s.beginPath(),t.forEach((r,o)=>o===0?s.moveTo(...this.toScreen(r)):s.lineTo(...this.toScreen(r))),s.closePath(),s.fillStyle=Hn(n.map(r=>Math.min(1,r*this.brightness(e)))),s.fill(),s.stroke()}drawBox(t,e,n){let s=t.slice(3);for(let r of Zx){let o=In(s,r);if(Ne(o,this.toward)<=0)continue;let a=r.findIndex(c=>c!==0),l=[[-1,-1],[1,-1],[1,1],[-1,1]].map(([c,h])=>{let u=[0,0,0];return u[a]=r[a]*e[a],u[(a+1)%3]=c*e[(a+1)%3],u[(a+2)%3]=h*e[(a+2)%3],In(s,u).map((f,d)=>f+t[d])});this.face(l,o,n)}}drawFaces(t,{points:e,triangles:n},s){let r=t.slice(3),{pen:o}=this.sheet,a=o.strokeStyle,l=Array.from({length:e.length/3},(c,h)=>In(r,e.subarray(3*h,3*h+3)).map((u,f)=>u+t[f]));for(let c=0;c<n.length;c+=3){let[h,u,f]=[l[n[c]],l[n[c+1]],l[n[c+2]]],d=Jx(h,u,f);Ne(d,this.toward)<=0||(o.strokeStyle=Hn(s.map(g=>Math.min(1,g*this.brightness(d)))),this.face([h,u,f],d,s))}o.strokeStyle=a}drawHull(t,{points:e},n){if(!e)return;let{pen:s}=this.sheet,r=t.slice(3),o=[];for(let a=0;a+2<e.length;a+=3)o.push(this.toScreen(In(r,e.subarray(a,a+3)).map((l,c)=>l+t[c])));s.beginPath(),Kx(o).forEach((a,l)=>l===0?s.moveTo(...a):s.lineTo(...a)),s.closePath(),s.fillStyle=Hn(n),s.fill(),s.stroke()}drawFloor(t){let{pen:e}=this.sheet,n=ls(this.bodies,t),s=n.slice(3),r=In(s,[0,0,1]);if(Ne(r,this.toward)<=.01)return;let{centre:o,size:a}=this.camera.room,l=o.reduce((d,g,v)=>d+(g-n[v])*r[v],0),c=o.map((d,g)=>d-l*r[g]),[h,u]=[In(s,[1,0,0]),In(s,[0,1,0])],f=(d,g)=>this.toScreen(c.map((v,m)=>v+a*(d*h[m]+g*u[m])));e.beginPath();for(let d=-4;d<=4;d++)e.moveTo(...f(-.8,.2*d)),e.lineTo(...f(.8,.2*d)),e.moveTo(...f(.2*d,-.8)),e.lineTo(...f(.2*d,.8));e.strokeStyle=this.theme.faint,e.lineWidth=1,e.stroke()}drawSprings(){if(this.springs.length===0)return;let t=Nr(this.bodies,this.springs);for(let e=0;e<t.length;e+=6)this.sheet.spring(...this.toScreen(t.subarray(e,e+3)),...this.toScreen(t.subarray(e+3,e+6)))}drawForces({scale:t,longest:e}){this.forces??(this.forces=new Float32Array(6*Math.max(1,this.contacts.most()))),this.screen??(this.screen=new Float32Array(this.forces.length));let n=this.contacts.arrows(this.bodies.nearest,t,e,this.forces);for(let s=0;s<2*n;s++)this.screen.set(this.toScreen(this.forces.subarray(3*s,3*s+3)),2*s);this.sheet.arrows(n,this.screen)}pick(t,e){return this.picker.pick(this.camera.ray(t,e))}dispose(){this.sheet.resize(1,1)}},Jx=(i,t,e)=>Ls(Xi(Ti(t,i),Ti(e,i)));function Kx(i){let t=i.slice().sort((n,s)=>n[0]-s[0]||n[1]-s[1]),e=n=>{let s=[];for(let r of n){for(;s.length>1&&jx(s[s.length-2],s[s.length-1],r)<=0;)s.pop();s.push(r)}return s.slice(0,-1)};return[...e(t),...e(t.reverse())]}var jx=(i,t,e)=>(t[0]-i[0])*(e[1]-i[1])-(t[1]-i[1])*(e[0]-i[0]);var el=class{constructor(t){this.bodies=t,this.source=t.source.contacts,this.ready=!1,this.asked=null,this.typical=0,this.typicalLoad=0}get exist(){return!!this.source}load(){return!this.asked&&this.source&&(this.asked=this.read()),this.asked}async read(){let{numbers:t}=this.bodies.context,{ends:e,a:n,b:s,point:r,force:o}=this.source;[this.ends,this.a,this.b,this.point,this.force]=await Promise.all([e,n,s,r,o].map(a=>t(a))),this.findTypical(),this.ready=!0}first(t){return t>0?this.ends[t-1]:0}magnitude(t){let e=this.force;return this.bodies.planar?Math.hypot(e[2*t],e[2*t+1]):Math.sqrt(e[3*t]*e[3*t]+e[3*t+1]*e[3*t+1]+e[3*t+2]*e[3*t+2])}findTypical(){let t=Math.max(1,Math.floor(this.a.length/2e4)),e=[];for(let o=0;o<this.a.length;o+=t){let a=this.magnitude(o);a>0&&e.push(a)}this.typical=Vd(e,.75);let n=[],s=new Float32Array(this.bodies.count),r=Math.max(1,Math.floor(this.ends.length/12));for(let o=0;o<this.ends.length;o+=r){this.loads(o,s);for(let a=0;a<s.length;a++)s[a]>0&&this.bodies.roles[a]===0&&n.push(s[a])}this.typicalLoad=Vd(n,.95)}loads(t,e){e.fill(0);let n=this.ends[t]??0;for(let s=this.first(t);s<n;s++){let r=this.magnitude(s);this.a[s]>=0&&(e[this.a[s]]+=r),this.b[s]>=0&&(e[this.b[s]]+=r)}}arrows(t,e,n,s){let{roles:r,planar:o}=this.bodies,a=o?2:3,l=this.ends[t]??0,c=0;for(let h=this.first(t);h<l&&c+6<=s.length;h++){let u=this.magnitude(h);if(!(u*e>.004*n))continue;let f=this.a[h],d=(f>=0&&r[f]===0?1:-1)*Math.min(e,n/u);for(let g=0;g<3;g++){let v=g<a?this.point[a*h+g]:0;s[c+g]=v,s[c+3+g]=g<a?v+d*this.force[a*h+g]:0}c+=6}return c/6}most(){let t=0;for(let e=0;e<this.ends.length;e++)t=Math.max(t,this.ends[e]-this.first(e));return t}};function Vd(i,t){if(i.length===0)return 0;let e=Float64Array.from(i).sort();return e[Math.min(e.length-1,Math.floor(t*e.length))]}var Qx=300;function Hd({bodies:i,contacts:t,residuals:e,settings:n,camera:s,changed:r,select:o}){let a=(f,d)=>{n[f]=d,r()},l=Bd.filter(({name:f})=>(f!=="force"||t.exist)&&(f!=="residual"||e)),c=[Wd("Colour by",l.map(({name:f,label:d})=>[f,d]),n.colour,f=>a("colour",f))];t.exist&&(c.push(Xh("Forces",n.forces,f=>a("forces",f))),c.push(t_("Length of forces",-1.5,1.5,0,f=>a("forceScale",10**f))));let h=e_(i,f=>{n.follow=f,o(f),r()});if(c.push(h.element),s.look){let f=["x","y","z","iso"].map(d=>qh(d,d==="iso"?"View from a corner":`View along the ${d} axis`,()=>s.look(d)));c.push(Gd("View",...f,qh("reset","Whole scene",()=>u(s)))),c.push(Xh("Perspective",s.perspective,d=>s.setPerspective(d)))}else c.push(Gd("View",qh("reset","Whole scene",()=>u(s))));n.shadows!==null&&c.push(Xh("Shadows",n.shadows,f=>a("shadows",f)));function u(f){h.show(-1),n.follow=-1,f.reset(),r()}return{elements:c,follow:f=>{n.follow=f,h.show(f),r()}}}function Wd(i,t,e,n){let s=D("select",{id:Ja("bodies")},t.map(([r,o])=>D("option",{value:r},o)));return s.value=e,s.addEventListener("change",()=>n(s.value)),Xd(i,s)}function Xd(i,t){return D("span",{class:"control"},D("label",{for:t.id},i)," ",t)}function Xh(i,t,e){let n=D("input",{type:"checkbox",id:Ja("bodies")});return n.checked=t,n.addEventListener("change",()=>e(n.checked)),D("span",{class:"control"},n," ",D("label",{for:n.id},i))}function t_(i,t,e,n,s){let r=D("input",{type:"range",min:t,max:e,step:.05,value:n,"aria-label":i,title:i,style:"width:6em"});return r.addEventListener("input",()=>s(Number(r.value))),D("span",{class:"control"},r)}function qh(i,t,e){return D("button",{type:"button",title:t,"aria-label":t,onclick:e},i)}function Gd(i,...t){return D("span",{class:"control",role:"group","aria-label":i},i," ",t)}function e_(i,t){let e=Array.from({length:i.count},(r,o)=>o).filter(r=>i.roles[r]!==1);if(e.length<=Qx){let r=Wd("Follow",[["-1","nothing"],...e.map(a=>[String(a),i.names[a]])],"-1",a=>t(Number(a))),o=r.querySelector("select");return o.style.maxWidth="11em",{element:r,show:a=>{o.value=String(a)}}}let n=D("input",{type:"text",id:Ja("bodies"),placeholder:"name",size:12,autocomplete:"off"}),s=()=>{let r=n.value.trim(),o=r===""?-1:i.names.indexOf(r);n.setAttribute("aria-invalid",String(r!==""&&o<0)),(r===""||o>=0)&&t(o)};return n.addEventListener("change",s),{element:Xd("Follow",n),show:r=>{n.value=r>=0?i.names[r]:""}}}async function qd(i,t){let e={};for(let[r,o]of Object.entries(i.texts)){let l=new Blob([t.decodeBase64(o.trim())]).stream().pipeThrough(new DecompressionStream("deflate-raw"));e[r]=new Uint8Array(await new Response(l).arrayBuffer())}let n=t.decodePlanes(e[i.position.b],i.position);await t.pause();let s=t.decodePlanes(e[i.rotation.b],i.rotation);return await t.pause(),{position:n,rotation:s,counts:t.countSpeeds(n,i.times,i.dimension)}}function Yd(i,t,e){let n=new Uint32Array(512),s=i.length/t.length,r=e*Math.max(1,Math.floor(i.length/(e*2e5)));for(let o=1;o<t.length;o++){let a=t[o]-t[o-1];if(a>0)for(let l=0;l+e<=s;l+=r){let c=0;for(let h=0;h<e;h++){let u=i[o*s+l+h]-i[(o-1)*s+l+h];c+=u*u}c>0&&(n[Math.max(0,Math.min(511,Math.floor(8*Math.log2(Math.sqrt(c)/a))+256))]+=1)}}return n}function n_(i,t){self.onmessage=async e=>{try{let n=await i(e.data,t);self.postMessage({made:n},[n.position.buffer,n.rotation.buffer])}catch(n){self.postMessage({error:String(n)})}}}var i_=()=>Promise.resolve(),s_=()=>new Promise(i=>setTimeout(i));function $d(){let i={decode:r=>qd(r,{decodeBase64:Ya,decodePlanes:$a,countSpeeds:Yd,pause:s_}),stop(){}},t=`(${n_})(${qd}, {decodeBase64: ${Ya}, decodePlanes: ${$a},
    countSpeeds: ${Yd}, pause: ${i_}})`,e;try{let r=URL.createObjectURL(new Blob([t],{type:"text/javascript"}));e=new Worker(r),URL.revokeObjectURL(r)}catch{return i}let n=!1,s=r=>new Promise((o,a)=>{e.onmessage=({data:l})=>l.error?a(new Error(l.error)):o(l.made),e.onerror=l=>{l.preventDefault(),n=!0,o(i.decode(r))},e.postMessage(r)});return{decode:r=>n?i.decode(r):s(r),stop:()=>e.terminate()}}var r_=256e6,nl=class{constructor(t,e,n,s,r){Object.assign(this,{list:t,times:e,dimension:n,numbers:r}),this.loaded=new Array(t.length).fill(null),this.decoder=$d(),this.counts=new Uint32Array(512),this.counted=new Set,this.busy=!1,this.stopped=!1,this.version=0,this.failure=null,this.pending=null,this.current=0;let o=Math.max(1,...t.map(a=>a.frames))*s*4;this.most=Math.max(3,Math.floor(r_/Math.max(1,o)))}of(t){return this.loaded[this.indexOf(t)]??null}indexOf(t){let e=0,n=this.list.length-1;for(;e<n;){let s=e+n+1>>1;this.list[s].first<=t?e=s:n=s-1}return e}want(t){this.current=this.indexOf(t),this.next()}async first(){if(this.list.length!==0&&(this.want(0),await this.pending,this.failure))throw this.failure}next(){if(this.busy||this.stopped||this.failure)return;let t=this.list.length;for(let e=0;e<Math.min(t,this.most-1);e++){let n=(this.current+e)%t;if(!this.loaded[n]){this.pending=this.load(n);return}}}async load(t){this.busy=!0;try{let e=await this.decode(this.list[t]);if(this.stopped)return;this.loaded[t]={first:this.list[t].first,frames:this.list[t].frames,...e},this.count(t,e.counts),this.forget(),this.version+=1}catch(e){this.failure=e}this.busy=!1,this.next()}async decode(t){let e=Float64Array.from(this.times.subarray(t.first,t.first+t.frames)),{position:n,rotation:s}=t;if(n.t==="q"&&s.t==="q"){let r={};for(let o of[n.b,s.b])r[o]=document.getElementById(`thud-block-${o}`).textContent;return this.decoder.decode({texts:r,position:n,rotation:s,times:e,dimension:this.dimension})}return{position:await this.numbers(n),rotation:await this.numbers(s),counts:null}}count(t,e){if(!(!e||this.counted.has(t))){this.counted.add(t);for(let n=0;n<e.length;n++)this.counts[n]+=e[n]}}forget(){let t=this.list.length,e=s=>(s-this.current+t)%t,n=this.loaded.map((s,r)=>s?r:-1).filter(s=>s>=0);n.sort((s,r)=>e(s)-e(r));for(let s of n.slice(this.most))this.loaded[s]=null}speedQuantile(t){let e=this.counts.reduce((s,r)=>s+r,0),n=0;for(let s=0;s<this.counts.length&&e>0;s++)if(n+=this.counts[s],n>=t*e)return 2**((s+1-256)/8);return 0}dispose(){this.stopped=!0,this.decoder.stop(),this.loaded.fill(null)}};var o_=20,Zd=.6,a_=.12,Jd=()=>({low:[1/0,1/0,1/0],high:[-1/0,-1/0,-1/0]}),Dr=({low:i,high:t})=>Math.hypot(...i.map((e,n)=>Math.max(0,t[n]-e)));function Yh(i,t,e=0){for(let n=0;n<3;n++)i.low[n]=Math.min(i.low[n],t[n]-e),i.high[n]=Math.max(i.high[n],t[n]+e)}var Kd=(i,t,e)=>({low:i.low.map((n,s)=>Math.max(n,t.low[s]-e)),high:i.high.map((n,s)=>Math.min(n,t.high[s]+e))});function jd(i){let t=l_(i),e=c_(i);i.roles.reduce((r,o)=>r+(o===0?1:0),0)>o_&&Dr(e)>0&&(t=Kd(t,e,Dr(e))),Dr(t)>0||(t={low:[-.5,-.5,i.planar?0:-.5],high:[.5,.5,i.planar?0:.5]});let s={low:t.low.slice(),high:t.high.slice()};for(let r=0;r<i.partBody.length;r++)i.roles[i.partBody[r]]!==0&&h_(i,r,t,s);return{...s,centre:s.low.map((r,o)=>(r+s.high[o])/2),size:Dr(s),radius:f_(i)}}function l_(i){let t=(i.source.room??[]).flat().map(Number);for(;t.length<6;)t.push(0);return{low:t.slice(0,3),high:t.slice(3,6)}}function c_(i){let t=Jd();for(let e=0;e<i.count;e++)i.roles[e]===0&&Yh(t,i.pose.subarray(7*e,7*e+3),Number.isFinite(i.radius[e])?i.radius[e]:0);return t}function h_(i,t,e,n){let s=u_(i,t);if(!(Dr(s)>=0))return;let r=Dr(e),o=Math.max(...e.low.map((l,c)=>Math.max(l-s.low[c],s.high[c]-e.high[c]))),a=Kd(s,e,(o<=Zd*r?Zd:a_)*r);for(let l=0;l<3;l++)a.low[l]<=a.high[l]&&(n.low[l]=Math.min(n.low[l],a.low[l]),n.high[l]=Math.max(n.high[l],a.high[l]))}function u_(i,t){let e=i.shapes[i.partShape[t]],n=Jd();if(e.endless)return{low:[NaN,NaN,NaN],high:[NaN,NaN,NaN]};let s=ls(i,t);if(e.points?.length&&e.points.length%3===0)for(let r=0;r<e.points.length;r+=3)Yh(n,In(s.slice(3),e.points.subarray(r,r+3)).map((o,a)=>o+s[a]));else Yh(n,s,e.half?Math.max(...e.half):(e.radius??0)+(e.half_length??0));return n}function f_(i){let t=0,e=0;for(let n=0;n<i.count;n++)i.roles[n]===0&&i.radius[n]>0&&Number.isFinite(i.radius[n])&&(t+=i.radius[n],e+=1);return e>0?t/e:0}async function Qd(i,t){let e=i.bodies,[n,s,r,o,a,l,c,h,u]=await Promise.all([e.roles,e.part_body,e.part_shape,e.part_pose,e.t,e.radius,e.still,e.still_pose,e.moving].map(d=>t.numbers(d))),f=await Promise.all(e.shapes.map(d=>d_(d,t)));return new $h(e,{roles:n,partBody:s,partShape:r,partPose:o,t:a,radius:l,shapes:f,still:c,stillPose:h,moving:u},t)}async function d_(i,t){let e=i.points?await t.numbers(i.points):null,n=i.triangles?await t.numbers(i.triangles):null;return{...i,points:e,triangles:n}}var $h=class{constructor(t,e,n){Object.assign(this,e),this.source=t,this.context=n,this.planar=t.planar,this.count=t.count,this.names=t.names,this.springs=t.springs??[],this.room=null,this.dimension=this.planar?2:3;let s=this.moving.length*(this.planar?3:7);this.chunks=new nl(t.chunks??[],this.t,this.dimension,s,n.numbers),this.pose=new Float32Array(7*this.count);for(let r=0;r<this.count;r++)this.pose[7*r+3]=1;this.still.forEach((r,o)=>this.pose.set(this.stillPose.subarray(7*o,7*o+7),7*r)),this.slot=new Int32Array(this.count).fill(-1),this.moving.forEach((r,o)=>{this.slot[r]=o}),this.frame=0,this.share=0,this.shown=null}async begin(){await this.chunks.first(),this.place(),this.room=jd(this)}get nearest(){return this.share>.5?this.frame+1:this.frame}seek(t){let{t:e}=this,n=this.frame;e[n]<=t&&(n+1>=e.length||e[n+1]>t)||(n=p_(e,t));let s=n+1<e.length?e[n+1]-e[n]:0;return this.share=s>0?Math.min(1,Math.max(0,(t-e[n])/s)):0,this.frame=n,this.chunks.want(n),this.place()}place(){let t=`${this.frame} ${this.share}`;if(t===this.shown||this.moving.length===0)return!1;let e=this.chunks.of(this.frame),n=this.share>0?this.chunks.of(this.frame+1):e;if(!e||!n)return!1;let s=this.frame-e.first,r=this.share>0?this.frame+1-n.first:s;return this.planar?g_(this.pose,this.moving,e,s,n,r,this.share):m_(this.pose,this.moving,e,s,n,r,this.share),this.shown=t,!0}eachSpeed(t){let e=this.interval();if(!e)return!1;let n=this.dimension,[s,r,o,a,l]=e,c=s.position,h=o.position,u=this.moving.length;for(let f=0;f<u;f++){let d=(r*u+f)*n,g=(a*u+f)*n,v=h[g]-c[d],m=h[g+1]-c[d+1],p=n===3?h[g+2]-c[d+2]:0;t(this.moving[f],Math.sqrt(v*v+m*m+p*p)/l)}return!0}speed(t){let e=this.slot[t]>=0?this.interval():null;if(!e)return this.slot[t]>=0?NaN:0;let[n,s,r,o,a]=e,l=this.dimension,c=0;for(let h=0;h<l;h++){let u=r.position[(o*this.moving.length+this.slot[t])*l+h]-n.position[(s*this.moving.length+this.slot[t])*l+h];c+=u*u}return Math.sqrt(c)/a}interval(){let t=this.frame;if(this.t[t+1]>this.t[t]||(t-=1),!(t>=0&&this.t[t+1]>this.t[t]))return null;let e=this.chunks.of(t),n=this.chunks.of(t+1);return!e||!n?null:[e,t-e.first,n,t+1-n.first,this.t[t+1]-this.t[t]]}dispose(){this.chunks.dispose()}};function p_(i,t){let e=0,n=i.length-1;for(;e<n;){let s=e+n+1>>1;i[s]<=t?e=s:n=s-1}return e}function m_(i,t,e,n,s,r,o){let a=t.length,l=1-o,c=e.position,h=s.position,u=e.rotation,f=s.rotation;for(let d=0,g=n*a*3,v=r*a*3,m=n*a*4,p=r*a*4;d<a;d++,g+=3,v+=3,m+=4,p+=4){let S=7*t[d];i[S]=l*c[g]+o*h[v],i[S+1]=l*c[g+1]+o*h[v+1],i[S+2]=l*c[g+2]+o*h[v+2];let y=l*u[m]+o*f[p],M=l*u[m+1]+o*f[p+1],R=l*u[m+2]+o*f[p+2],A=l*u[m+3]+o*f[p+3],x=1/Math.sqrt(y*y+M*M+R*R+A*A);i[S+3]=y*x,i[S+4]=M*x,i[S+5]=R*x,i[S+6]=A*x}}function g_(i,t,e,n,s,r,o){let a=t.length,l=1-o;for(let c=0,h=n*a,u=r*a;c<a;c++,h++,u++){let f=7*t[c],d=.5*(l*e.rotation[h]+o*s.rotation[u]);i[f]=l*e.position[2*h]+o*s.position[2*u],i[f+1]=l*e.position[2*h+1]+o*s.position[2*u+1],i[f+3]=Math.cos(d),i[f+6]=Math.sin(d)}}var il=class{constructor(t){this.room=t,this.size=[600,400],this.version=0,this.reset()}changed(){this.version+=1}reset(){this.fitted=!0,this.fit()}fit(){let{low:t,high:e,centre:n,size:s}=this.room,r=.3*s,o=Math.max(e[0]-t[0],r),a=Math.max(e[1]-t[1],r);this.target=n.slice(),this.scale=Math.min(this.size[0]/o,this.size[1]/a)/1.15,this.changed()}get height(){return this.size[1]/this.scale}resize(t,e){let n=e/this.size[1];this.size=[t,e],this.fitted?this.fit():(this.scale*=n,this.changed())}rotate(t,e){this.pan(t,e)}pan(t,e){this.target=[this.target[0]-t/this.scale,this.target[1]+e/this.scale,0],this.fitted=!1,this.changed()}zoom(t,e=this.size[0]/2,n=this.size[1]/2){let s=Math.min(1e4/this.room.size*this.size[1],Math.max(.01/this.room.size*this.size[1],this.scale*t)),r=this.place(e,n);this.scale=s;let o=this.place(e,n);this.target=[this.target[0]+r[0]-o[0],this.target[1]+r[1]-o[1],0],this.fitted=!1,this.changed()}centre(t){this.target=[t[0],t[1],0],this.fitted=!1,this.changed()}place(t,e){return[this.target[0]+(t-this.size[0]/2)/this.scale,this.target[1]-(e-this.size[1]/2)/this.scale]}};function tp(i,t,{hover:e,click:n}){let s=new Map,r=0,o=null,a=y=>{let M=i.getBoundingClientRect();return[y.clientX-M.left,y.clientY-M.top]},l=()=>{let[y,M]=[...s.values()];return[Math.hypot(y[0]-M[0],y[1]-M[1]),(y[0]+M[0])/2,(y[1]+M[1])/2]},c=y=>{i.focus({preventScroll:!0}),h(y.pointerId),s.set(y.pointerId,a(y)),r=0,o=s.size===2?l():null},h=y=>{try{i.setPointerCapture(y)}catch{}},u=y=>{let M=a(y),R=s.get(y.pointerId);if(!R){e(M[0],M[1]);return}let[A,x]=[M[0]-R[0],M[1]-R[1]];s.set(y.pointerId,M),r+=Math.abs(A)+Math.abs(x),s.size===2?f():s.size===1&&r>3&&(y.buttons&6||y.shiftKey?t.pan(A,x):t.rotate(A,x))},f=()=>{let y=l();o&&o[0]>0&&(t.zoom(y[0]/o[0],y[1],y[2]),t.pan(y[1]-o[1],y[2]-o[2])),o=y},d=y=>{s.delete(y.pointerId)&&r<=3&&y.type==="pointerup"&&n(...a(y)),o=null},g=y=>{if(document.activeElement!==i&&!y.ctrlKey)return;y.preventDefault();let M=y.deltaMode===1?30:1;t.zoom(Math.exp(-.0015*Math.max(-300,Math.min(300,y.deltaY*M))),...a(y))},S={pointerdown:c,pointermove:u,pointerup:d,pointercancel:d,pointerleave:()=>e(-1,-1),keydown:y=>{if(y.ctrlKey||y.altKey||y.metaKey)return;let R={ArrowLeft:[-24,0],ArrowRight:[24,0],ArrowUp:[0,-24],ArrowDown:[0,24]}[y.key];if(R&&y.shiftKey)t.pan(-R[0],-R[1]);else if(R)t.rotate(-R[0],-R[1]);else if(y.key==="+"||y.key==="=")t.zoom(1.2);else if(y.key==="-")t.zoom(1/1.2);else if(y.key==="0")t.reset();else return;y.preventDefault(),y.stopPropagation()},contextmenu:y=>y.preventDefault()};for(let[y,M]of Object.entries(S))i.addEventListener(y,M);i.addEventListener("wheel",g,{passive:!1}),i.style.touchAction="none"}var Zh=40*Math.PI/180,x_={azimuth:-Math.PI/3,elevation:25*Math.PI/180},sl=class{constructor(t,e){this.room=t,this.up=Ls(e);let n=this.up.map(Math.abs),s=n[2]>=n[0]&&n[2]>=n[1]?0:n[1]>=n[0]?2:1,r=[0,1,2].map(o=>o===s?1:0);this.first=Ls(ei(r,this.up,-Ne(r,this.up))),this.second=Xi(this.up,this.first),this.perspective=!0,this.aspect=1.5,this.size=[600,400],this.version=0,this.reset()}changed(){this.version+=1}reset(){Object.assign(this,x_),this.fit()}fit(){this.target=this.room.centre.slice();let{right:t,top:e,toward:n}=this.axes(),s=Math.tan(Zh/2),r=0,o=0;for(let l=0;l<8;l++){let c=[0,1,2].map(f=>l&1<<f?this.room.high[f]:this.room.low[f]),h=ei(c,this.target,-1),u=Math.max(Math.abs(Ne(h,t))/this.aspect,Math.abs(Ne(h,e)));o=Math.max(o,u),r=Math.max(r,u/s+(this.perspective?Ne(h,n):0))}let a=1.15*Math.max(this.perspective?r:o/s,.2*this.room.size);this.distance=Math.max(a,1e-9),this.fitted=!0,this.changed()}axes(){let[t,e]=[Math.cos(this.azimuth),Math.sin(this.azimuth)],n=ei(this.first.map(o=>t*o),this.second,e),s=ei(this.second.map(o=>t*o),this.first,-e),r=ei(n.map(o=>Math.cos(this.elevation)*o),this.up,Math.sin(this.elevation));return{right:s,toward:r,top:Xi(r,s)}}get eye(){return ei(this.target,this.axes().toward,this.distance)}get height(){return 2*this.distance*Math.tan(Zh/2)}get field(){return Zh}resize(t,e){this.size=[t,e],this.aspect=t/Math.max(1,e),this.fitted?this.fit():this.changed()}rotate(t,e){this.azimuth-=t*.008,this.elevation=Math.min(Math.PI/2,Math.max(-Math.PI/2,this.elevation+e*.008)),this.changed()}pan(t,e){let{right:n,top:s}=this.axes(),r=this.height/this.size[1];this.target=ei(ei(this.target,n,-t*r),s,e*r),this.fitted=!1,this.changed()}zoom(t){this.distance=Math.min(100*this.room.size,Math.max(.001*this.room.size,this.distance/t)),this.fitted=!1,this.changed()}centre(t){this.target=[t[0],t[1],t[2]],this.fitted=!1,this.changed()}look(t){if(t==="iso")Object.assign(this,{azimuth:-Math.PI/4,elevation:Math.atan(Math.SQRT1_2)});else{let e=["x","y","z"].map(o=>o===t?1:0),[n,s,r]=[this.up,this.first,this.second].map(o=>Math.abs(Ne(o,e)));n>=s&&n>=r?Object.assign(this,{azimuth:-Math.PI/2,elevation:Math.PI/2}):Object.assign(this,{azimuth:s>=r?0:-Math.PI/2,elevation:0})}this.fitted?this.fit():this.changed()}setPerspective(t){this.perspective=t,this.fitted?this.fit():this.changed()}ray(t,e){let{right:n,top:s,toward:r}=this.axes(),o=this.height/2,a=(2*t/this.size[0]-1)*o*this.aspect,l=(1-2*e/this.size[1])*o,c=ei(ei(this.target,n,a),s,l);if(!this.perspective)return{from:ei(c,r,4*this.room.size+this.distance),along:r.map(u=>-u)};let h=this.eye;return{from:h,along:Ls(ei(c,h,-1))}}};var Do="position:absolute;pointer-events:none;font:12px/1.35 system-ui,sans-serif;font-variant-numeric:tabular-nums;",__=["x","y","z"];function Ai(i){if(!Number.isFinite(i))return"–";if(i===0)return"0";let t=Math.abs(i);return t>=1e5||t<.001?i.toExponential(2).replace("e+","e"):String(Number(i.toPrecision(4)))}var rl=class{constructor(t,e){this.read=D("div",{style:`${Do}left:10px;top:8px;max-width:70%;padding:3px 7px;border-radius:4px;white-space:pre-line`}),this.bar=D("div",{style:`${Do}right:10px;bottom:8px;width:min(200px,45%);padding:3px 7px;border-radius:4px`}),this.barTitle=D("div"),this.barRamp=D("div",{style:"height:9px;border-radius:2px;margin:2px 0"}),this.barEnds=D("div",{style:"display:flex;justify-content:space-between"}),this.bar.append(this.barTitle,this.barRamp,this.barEnds),this.key=D("div",{style:`${Do}right:10px;top:8px;display:flex;align-items:center;gap:6px;padding:2px 7px;border-radius:4px`}),this.keyArrow=En("path",{fill:"none","stroke-width":2}),this.keyText=D("span"),this.keyPicture=En("svg",{width:52,height:12,"aria-hidden":"true"},this.keyArrow),this.key.append(this.keyPicture,this.keyText),this.length=D("div",{style:`${Do}left:${e?12:84}px;bottom:10px;text-align:center`}),this.lengthText=D("div"),this.lengthBar=D("div",{style:"height:4px;border:1.4px solid;border-top:none;box-sizing:border-box"}),this.length.append(this.lengthText,this.lengthBar),this.axes=e?null:En("svg",{width:74,height:74,style:`${Do}left:4px;bottom:4px`,"aria-hidden":"true"}),this.arms=__.map(n=>({line:En("path",{fill:"none","stroke-width":1.6,"stroke-linecap":"round"}),text:En("text",{"font-size":11,"text-anchor":"middle","dominant-baseline":"central"},n)}));for(let{line:n,text:s}of this.arms)this.axes?.append(n,s);for(let n of[this.read,this.bar,this.key])n.hidden=!0;this.shownBar=null,t.append(this.read,this.bar,this.key,this.length,...this.axes?[this.axes]:[])}setTheme(t){for(let e of[this.read,this.bar,this.key])e.style.color=t.ink,e.style.background=`${t.paper}cc`;this.length.style.color=t.muted,this.keyArrow.setAttribute("stroke",t.paints.force);for(let{line:e,text:n}of this.arms)e.setAttribute("stroke",t.muted),n.setAttribute("fill",t.ink);this.shownBar=null}write(t){this.read.textContent!==t&&(this.read.textContent=t),this.show(this.read,t!=="")}show(t,e){t.style.display=e?t===this.key?"flex":"block":"none",t.hidden=!e}scale(t){let e=t?`${t.label} ${t.unit} ${t.low} ${t.high}`:"";if(e===this.shownBar||(this.shownBar=e,this.show(this.bar,!!t),!t))return;this.barTitle.textContent=t.unit?`${t.label} (${t.unit})`:t.label,this.barRamp.style.background=`linear-gradient(90deg, ${t.colours.map(Hn).join(", ")})`;let n=t.log?Math.sqrt(t.low*t.high):(t.low+t.high)/2,s=[Ai(t.low),Ai(n),`${t.more?"≥ ":""}${Ai(t.high)}`];this.barEnds.replaceChildren(...s.map(r=>D("span",{},r)))}forceKey(t,e){if(this.show(this.key,e!==""),e==="")return;let n=2+Math.max(6,Math.min(48,t));this.keyPicture.setAttribute("width",n+2),this.keyArrow.setAttribute("d",`M2 6H${n}M${n-5} 2.5L${n} 6L${n-5} 9.5`),this.keyText.textContent!==e&&(this.keyText.textContent=e)}measure(t,e){if(this.length.style.display=t>0?"block":"none",!(t>0))return;let n=Pr(110/t);this.lengthBar.style.width=`${(n*t).toFixed(1)}px`;let s=`${Ai(n)} ${e}`;this.lengthText.textContent!==s&&(this.lengthText.textContent=s)}turn({right:t,top:e,toward:n}){if(!this.axes)return;let s=[0,1,2].sort((r,o)=>n[r]-n[o]);for(let r of s){let{line:o,text:a}=this.arms[r],[l,c]=[37+24*t[r],37-24*e[r]],h=Math.hypot(t[r],e[r]);o.setAttribute("d",`M37 37L${l.toFixed(1)} ${c.toFixed(1)}`),a.setAttribute("x",(37+32*t[r]).toFixed(1)),a.setAttribute("y",(37-32*e[r]).toFixed(1)),a.style.display=h<.2?"none":"",o.style.opacity=n[r]<-.01?.55:1}}dispose(){for(let t of[this.read,this.bar,this.key,this.length,this.axes])t?.remove()}};function ep(i,t){let e=i.shapes[i.partShape[t]],[n,s,,r,,,o]=i.partPose.subarray(7*t,7*t+7),[a,l]=[r*r-o*o,2*r*o],c=(f,d)=>[n+a*f-l*d,s+l*f+a*d];if(e.endless)return{ground:[...c(0,0),-l,a]};if(e.kind==="disc")return{disc:[n,s,e.radius,Math.atan2(l,a)]};let h=v_(e),u=new Float32Array(h.length);for(let f=0;f<h.length;f+=2)u.set(c(h[f],h[f+1]),f);return{points:u,open:e.kind==="segment"}}function v_(i){return i.points?.length?y_(i.points):i.half?M_(i.half):i.half_length!==void 0?S_(i.radius,i.half_length):[]}function y_(i){return i.length%3===0&&i.every((e,n)=>n%3!==2||e===0)?i.filter((e,n)=>n%3!==2):i}var M_=([i,t])=>[-i,-t,i,-t,i,t,-i,t];function S_(i,t){let e=[];for(let n=0;n<=10;n++)e.push(i*Math.cos(Math.PI*n/10),t+i*Math.sin(Math.PI*n/10));for(let n=0;n<=10;n++)e.push(-i*Math.cos(Math.PI*n/10),-t-i*Math.sin(Math.PI*n/10));return e}var b_=3,w_=14,T_=2.5,ol=class{constructor(t,e,n,s){Object.assign(this,{canvas:t,bodies:e,contacts:n,camera:s}),this.sheet=new Ir(t),this.outlines=Array.from({length:e.partBody.length},(r,o)=>ep(e,o)),this.grounds=[...this.outlines.keys()].filter(r=>this.outlines[r].ground),this.batches=[],this.springs=new Float32Array(6*e.springs.length),this.forces=null,this.fresh=!0}setTheme(t){this.sheet.setTheme(t),this.theme=t,this.fresh=!0}resize(t,e){this.sheet.resize(t,e),this.fresh=!0}sort(t){let{bodies:e}=this,n=new Map;this.outlines.forEach((s,r)=>{if(s.ground)return;let o=e.partBody[r],a=e.roles[o]!==0,l=Array.from(t.subarray(3*o,3*o+3)),c=`${a} ${Hn(l)}`;n.has(c)||n.set(c,{still:a,colour:l,parts:[]}),n.get(c).parts.push(r)}),this.batches=[...n.values()].sort((s,r)=>Number(r.still)-Number(s.still))}draw(t){(this.fresh||t.painted)&&this.sort(t.rgb),this.fresh=!1;let{camera:e,sheet:n}=this,{pen:s}=n;this.scale=e.scale,this.shift=[e.size[0]/2-e.scale*e.target[0],e.size[1]/2+e.scale*e.target[1]],n.clear();for(let r of this.grounds)this.drawGround(r,t.rgb);for(let r of this.batches)this.drawBatch(r,t.arrows&&!r.still?.5:1);s.globalAlpha=1,this.drawSprings(),t.arrows&&this.drawForces(t.arrows)}drawBatch(t,e){let{pen:n}=this.sheet,s=new Path2D,r=new Path2D;for(let o of t.parts)this.trace(o,r,s);n.globalAlpha=e,n.fillStyle=t.still?this.sheet.hatch(t.colour):Hn(t.colour),n.fill(r),!(this.bodies.room.radius*this.scale<T_&&!t.still)&&(n.strokeStyle=this.theme.ink,n.globalAlpha=e*(t.still?.6:.75),n.lineWidth=t.still?1.2:1,n.stroke(r),n.stroke(s))}drawGround(t,e){let{pen:n}=this.sheet,s=this.bodies.partBody[t],r=Array.from(e.subarray(3*s,3*s+3)),[o,a]=[new Path2D,new Path2D];this.depth=2*(this.sheet.size[0]+this.sheet.size[1]),this.trace(t,o,o),this.depth=w_,this.trace(t,a,a),n.fillStyle=this.theme.faint,n.globalAlpha=.5,n.fill(o),n.globalAlpha=1,n.fillStyle=this.sheet.hatch(r),n.fill(a),n.strokeStyle=this.theme.ink,n.globalAlpha=.6,n.lineWidth=1.2,n.stroke(o),n.globalAlpha=1}trace(t,e,n){let s=this.outlines[t],r=7*this.bodies.partBody[t],{pose:o}=this.bodies,a=o[r+3],l=o[r+6],c=this.scale*(a*a-l*l),h=this.scale*2*a*l,u=this.shift[0]+this.scale*o[r],f=this.shift[1]-this.scale*o[r+1];s.disc?this.traceDisc(s.disc,u,f,c,h,e,n):s.ground?E_(s.ground,u,f,c,h,e,this.sheet.size,this.depth):A_(s,u,f,c,h,e)}traceDisc([t,e,n,s],r,o,a,l,c,h){let u=r+a*t-l*e,f=o-l*t-a*e,d=n>0?n*this.scale:b_,[g,v]=this.sheet.size;if(u<-d||f<-d||u>g+d||f>v+d||(c.moveTo(u+d,f),c.arc(u,f,d,0,2*Math.PI),d<3))return;let m=(a*Math.cos(s)-l*Math.sin(s))/this.scale,p=(l*Math.cos(s)+a*Math.sin(s))/this.scale;h.moveTo(u,f),h.lineTo(u+d*m,f-d*p)}drawSprings(){if(this.springs.length===0)return;let t=Nr(this.bodies,this.springs);for(let e=0;e<t.length;e+=6)this.sheet.spring(...this.toScreen(t[e],t[e+1]),...this.toScreen(t[e+3],t[e+4]))}drawForces({scale:t,longest:e}){var r;this.forces??(this.forces={ends:new Float32Array(6*Math.max(1,this.contacts.most())),screen:null});let{ends:n}=this.forces;(r=this.forces).screen??(r.screen=new Float32Array(n.length));let s=this.contacts.arrows(this.bodies.nearest,t,e,n);for(let o=0;o<s;o++)this.forces.screen.set(this.toScreen(n[6*o],n[6*o+1]),4*o),this.forces.screen.set(this.toScreen(n[6*o+3],n[6*o+4]),4*o+2);this.sheet.arrows(s,this.forces.screen)}toScreen(t,e){return[this.shift[0]+this.scale*t,this.shift[1]-this.scale*e]}pick(t,e){let{pen:n}=this.sheet,s=-1;if(this.scale===void 0)return-1;for(let r=this.outlines.length-1;r>=0;r--){if(this.outlines[r].ground)continue;let o=new Path2D;if(this.trace(r,o,o),!n.isPointInPath(o,t*this.sheet.ratio,e*this.sheet.ratio))continue;let a=this.bodies.partBody[r];if(this.bodies.roles[a]===0)return a;s=a}return s}dispose(){this.sheet.resize(1,1)}};function A_({points:i,open:t},e,n,s,r,o){for(let a=0;a<i.length;a+=2){let l=e+s*i[a]-r*i[a+1],c=n-r*i[a]-s*i[a+1];a===0?o.moveTo(l,c):o.lineTo(l,c)}t||o.closePath()}function E_([i,t,e,n],s,r,o,a,l,c,h){let u=2*(c[0]+c[1]),f=Math.hypot(o,a),d=s+o*i-a*t,g=r-a*i-o*t,v=[(o*e-a*n)/f,-(a*e+o*n)/f],m=[c[0]/2-d,c[1]/2-g],p=m[0]*-v[1]+m[1]*v[0],[S,y]=[d-p*v[1],g+p*v[0]];l.moveTo(S-u*v[1],y+u*v[0]),l.lineTo(S+u*v[1],y-u*v[0]),l.lineTo(S+u*v[1]-h*v[0],y-u*v[0]-h*v[1]),l.lineTo(S-u*v[1]-h*v[0],y+u*v[0]-h*v[1]),l.closePath()}async function np(i){let{residual:t,worst_a:e,worst_b:n,penetration:s}=i.source;if(!t)return null;let{numbers:r}=i.context,[o,a,l,c]=await Promise.all([t,e,n,s].map(d=>r(d))),h=1/0,u=0;for(let d of o)d>0&&Number.isFinite(d)&&(h=Math.min(h,d),u=Math.max(u,d));h=Math.max(h,1e-9*u);let f=(d,g,v)=>g<d.length?d[g]:v;return d=>({low:h,high:u,residual:f(o,d,NaN),a:f(a,d,-1),b:f(l,d,-1),penetration:f(c,d,NaN)})}var Ip=0,wu=1,Lp=2;var da=1,Np=2,oo=3,Ki=0,Yn=1,$n=2,ar=0,ao=1,Tu=2,Au=3,Eu=4,pa=5;var vs=100,Dp=101,Up=102,fc=103,Fp=104,Op=200,ma=201,Bp=202,kp=203,ga=204,xa=205,zp=206,Vp=207,Gp=208,Hp=209,Wp=210,Xp=211,qp=212,Yp=213,$p=214,Ll=0,Nl=1,Dl=2,Jr=3,Kr=4,Ul=5,Fl=6,Ol=7,Ru=0,Zp=1,Jp=2,ji=0,Cu=1,Pu=2,Iu=3,Lu=4,Nu=5,Du=6,Uu=7;var Fu=300,lr=301,lo=302,dc=303,pc=304,Bl=1e3,Yi=1001,kl=1002,Tn=1003,Kp=1004;var _a=1005;var qn=1006,mc=1007;var ys=1008;var li=1009,Ou=1010,Bu=1011,co=1012,gc=1013,Ii=1014,xi=1015,Li=1016,xc=1017,_c=1018,cr=1020,ku=35902,zu=35899,Vu=1021,Gu=1022,Ni=1023,ms=1026,Ms=1027,vc=1028,yc=1029,Xs=1030,Mc=1031;var Sc=1033,va=33776,ya=33777,Ma=33778,Sa=33779,bc=35840,wc=35841,Tc=35842,Ac=35843,Ec=36196,Rc=37492,Cc=37496,Pc=37488,Ic=37489,ba=37490,Lc=37491,Nc=37808,Dc=37809,Uc=37810,Fc=37811,Oc=37812,Bc=37813,kc=37814,zc=37815,Vc=37816,Gc=37817,Hc=37818,Wc=37819,Xc=37820,qc=37821,Yc=36492,$c=36494,Zc=36495,Jc=36283,Kc=36284,wa=36285,jc=36286;var Ho=2300,zl=2301,Pl=2302,_u=2303,vu=2400,yu=2401,Mu=2402;var jp=3200;var Hu=0,Qp=1,Ss="",si="srgb",gs="srgb-linear",Wo="linear",we="srgb";var Il=7680;var tm=519,em=512,nm=513,im=514,Wu=515,sm=516,rm=517,Xu=518,qu=519,Yu=35044,qs=35048;var $u="300 es",gi=2e3,Xo=2001;function R_(i){for(let t=i.length-1;t>=0;--t)if(i[t]>=65535)return!0;return!1}function C_(i){return ArrayBuffer.isView(i)&&!(i instanceof DataView)}function qo(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function om(){let i=qo("canvas");return i.style.display="block",i}var ip={},jr=null;function Yo(...i){let t="THREE."+i.shift();jr?jr("log",t,...i):console.log(t,...i)}function am(i){let t=i[0];if(typeof t=="string"&&t.startsWith("TSL:")){let e=i[1];e&&e.isStackTrace?i[0]+=" "+e.getLocation():i[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return i}function Yt(...i){i=am(i);let t="THREE."+i.shift();if(jr)jr("warn",t,...i);else{let e=i[0];e&&e.isStackTrace?console.warn(e.getError(t)):console.warn(t,...i)}}function jt(...i){i=am(i);let t="THREE."+i.shift();if(jr)jr("error",t,...i);else{let e=i[0];e&&e.isStackTrace?console.error(e.getError(t)):console.error(t,...i)}}function Go(...i){let t=i.join(" ");t in ip||(ip[t]=!0,Yt(...i))}function lm(i,t,e){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(t,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,e);break;default:n()}}setTimeout(r,e)})}var cm={[Ll]:Ll,[Dl]:Fl,[Kr]:Kr,[Jr]:Ul,[Nl]:Nl,[Fl]:Dl,[Ol]:Ol,[Ul]:Jr},$i=class{addEventListener(t,e){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[t]===void 0&&(n[t]=[]),n[t].indexOf(e)===-1&&n[t].push(e)}hasEventListener(t,e){let n=this._listeners;return n===void 0?!1:n[t]!==void 0&&n[t].indexOf(e)!==-1}removeEventListener(t,e){let n=this._listeners;if(n===void 0)return;let s=n[t];if(s!==void 0){let r=s.indexOf(e);r!==-1&&s.splice(r,1)}}dispatchEvent(t){let e=this._listeners;if(e===void 0)return;let n=e[t.type];if(n!==void 0){t.target=this;let s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,t);t.target=null}}},Ln=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"];var Jh=Math.PI/180,Vl=180/Math.PI;function hr(){let i=Math.random()*4294967295|0,t=Math.random()*4294967295|0,e=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(Ln[i&255]+Ln[i>>8&255]+Ln[i>>16&255]+Ln[i>>24&255]+"-"+Ln[t&255]+Ln[t>>8&255]+"-"+Ln[t>>16&15|64]+Ln[t>>24&255]+"-"+Ln[e&63|128]+Ln[e>>8&255]+"-"+Ln[e>>16&255]+Ln[e>>24&255]+Ln[n&255]+Ln[n>>8&255]+Ln[n>>16&255]+Ln[n>>24&255]).toLowerCase()}function xe(i,t,e){return Math.max(t,Math.min(e,i))}function P_(i,t){return(i%t+t)%t}function Kh(i,t,e){return(1-e)*i+e*t}function hm(i){return Math.pow(2,Math.floor(Math.log(i)/Math.LN2))}function Qc(i){switch(i.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function um(i,t){if(t.constructor===Float32Array)return i;let e=Qc(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(i/e,-1)}function fm(i,t){if(t.constructor===Float32Array)return i;let e=Qc(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(i*e)}var Qu=class Qu{constructor(t=0,e=0){this.x=t,this.y=e}get width(){return this.x}set width(t){this.x=t}get height(){return this.y}set height(t){this.y=t}set(t,e){return this.x=t,this.y=e,this}setScalar(t){return this.x=t,this.y=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;default:throw new Error("THREE.Vector2: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y)}copy(t){return this.x=t.x,this.y=t.y,this}add(t){return this.x+=t.x,this.y+=t.y,this}addScalar(t){return this.x+=t,this.y+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this}subScalar(t){return this.x-=t,this.y-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this}multiply(t){return this.x*=t.x,this.y*=t.y,this}multiplyScalar(t){return this.x*=t,this.y*=t,this}divide(t){return this.x/=t.x,this.y/=t.y,this}divideScalar(t){return this.multiplyScalar(1/t)}applyMatrix3(t){let e=this.x,n=this.y,s=t.elements;return this.x=s[0]*e+s[3]*n+s[6],this.y=s[1]*e+s[4]*n+s[7],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this}clamp(t,e){return this.x=xe(this.x,t.x,e.x),this.y=xe(this.y,t.y,e.y),this}clampScalar(t,e){return this.x=xe(this.x,t,e),this.y=xe(this.y,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(xe(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(t){return this.x*t.x+this.y*t.y}cross(t){return this.x*t.y-this.y*t.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(xe(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y;return e*e+n*n}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this}equals(t){return t.x===this.x&&t.y===this.y}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this}rotateAround(t,e){let n=Math.cos(e),s=Math.sin(e),r=this.x-t.x,o=this.y-t.y;return this.x=r*n-o*s+t.x,this.y=r*s+o*n+t.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}};Qu.prototype.isVector2=!0;var pe=Qu,Zi=class{constructor(t=0,e=0,n=0,s=1){this.isQuaternion=!0,this._x=t,this._y=e,this._z=n,this._w=s}static slerpFlat(t,e,n,s,r,o,a){let l=n[s+0],c=n[s+1],h=n[s+2],u=n[s+3],f=r[o+0],d=r[o+1],g=r[o+2],v=r[o+3];if(u!==v||l!==f||c!==d||h!==g){let m=l*f+c*d+h*g+u*v;m<0&&(f=-f,d=-d,g=-g,v=-v,m=-m);let p=1-a;if(m<.9995){let S=Math.acos(m),y=Math.sin(S);p=Math.sin(p*S)/y,a=Math.sin(a*S)/y,l=l*p+f*a,c=c*p+d*a,h=h*p+g*a,u=u*p+v*a}else{l=l*p+f*a,c=c*p+d*a,h=h*p+g*a,u=u*p+v*a;let S=1/Math.sqrt(l*l+c*c+h*h+u*u);l*=S,c*=S,h*=S,u*=S}}t[e]=l,t[e+1]=c,t[e+2]=h,t[e+3]=u}static multiplyQuaternionsFlat(t,e,n,s,r,o){let a=n[s],l=n[s+1],c=n[s+2],h=n[s+3],u=r[o],f=r[o+1],d=r[o+2],g=r[o+3];return t[e]=a*g+h*u+l*d-c*f,t[e+1]=l*g+h*f+c*u-a*d,t[e+2]=c*g+h*d+a*f-l*u,t[e+3]=h*g-a*u-l*f-c*d,t}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get w(){return this._w}set w(t){this._w=t,this._onChangeCallback()}set(t,e,n,s){return this._x=t,this._y=e,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(t){return this._x=t.x,this._y=t.y,this._z=t.z,this._w=t.w,this._onChangeCallback(),this}setFromEuler(t,e=!0){let n=t._x,s=t._y,r=t._z,o=t._order,a=Math.cos,l=Math.sin,c=a(n/2),h=a(s/2),u=a(r/2),f=l(n/2),d=l(s/2),g=l(r/2);switch(o){case"XYZ":this._x=f*h*u+c*d*g,this._y=c*d*u-f*h*g,this._z=c*h*g+f*d*u,this._w=c*h*u-f*d*g;break;case"YXZ":this._x=f*h*u+c*d*g,this._y=c*d*u-f*h*g,this._z=c*h*g-f*d*u,this._w=c*h*u+f*d*g;break;case"ZXY":this._x=f*h*u-c*d*g,this._y=c*d*u+f*h*g,this._z=c*h*g+f*d*u,this._w=c*h*u-f*d*g;break;case"ZYX":this._x=f*h*u-c*d*g,this._y=c*d*u+f*h*g,this._z=c*h*g-f*d*u,this._w=c*h*u+f*d*g;break;case"YZX":this._x=f*h*u+c*d*g,this._y=c*d*u+f*h*g,this._z=c*h*g-f*d*u,this._w=c*h*u-f*d*g;break;case"XZY":this._x=f*h*u-c*d*g,this._y=c*d*u-f*h*g,this._z=c*h*g+f*d*u,this._w=c*h*u+f*d*g;break;default:Yt("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return e===!0&&this._onChangeCallback(),this}setFromAxisAngle(t,e){let n=e/2,s=Math.sin(n);return this._x=t.x*s,this._y=t.y*s,this._z=t.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(t){let e=t.elements,n=e[0],s=e[4],r=e[8],o=e[1],a=e[5],l=e[9],c=e[2],h=e[6],u=e[10],f=n+a+u;if(f>0){let d=.5/Math.sqrt(f+1);this._w=.25/d,this._x=(h-l)*d,this._y=(r-c)*d,this._z=(o-s)*d}else if(n>a&&n>u){let d=2*Math.sqrt(1+n-a-u);this._w=(h-l)/d,this._x=.25*d,this._y=(s+o)/d,this._z=(r+c)/d}else if(a>u){let d=2*Math.sqrt(1+a-n-u);this._w=(r-c)/d,this._x=(s+o)/d,this._y=.25*d,this._z=(l+h)/d}else{let d=2*Math.sqrt(1+u-n-a);this._w=(o-s)/d,this._x=(r+c)/d,this._y=(l+h)/d,this._z=.25*d}return this._onChangeCallback(),this}setFromUnitVectors(t,e){let n=t.dot(e)+1;return n<1e-8?(n=0,Math.abs(t.x)>Math.abs(t.z)?(this._x=-t.y,this._y=t.x,this._z=0,this._w=n):(this._x=0,this._y=-t.z,this._z=t.y,this._w=n)):(this._x=t.y*e.z-t.z*e.y,this._y=t.z*e.x-t.x*e.z,this._z=t.x*e.y-t.y*e.x,this._w=n),this.normalize()}angleTo(t){return 2*Math.acos(Math.abs(xe(this.dot(t),-1,1)))}rotateTowards(t,e){let n=this.angleTo(t);if(n===0)return this;let s=Math.min(1,e/n);return this.slerp(t,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(t){return this._x*t._x+this._y*t._y+this._z*t._z+this._w*t._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let t=this.length();return t===0?(this._x=0,this._y=0,this._z=0,this._w=1):(t=1/t,this._x=this._x*t,this._y=this._y*t,this._z=this._z*t,this._w=this._w*t),this._onChangeCallback(),this}multiply(t){return this.multiplyQuaternions(this,t)}premultiply(t){return this.multiplyQuaternions(t,this)}multiplyQuaternions(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=e._x,l=e._y,c=e._z,h=e._w;return this._x=n*h+o*a+s*c-r*l,this._y=s*h+o*l+r*a-n*c,this._z=r*h+o*c+n*l-s*a,this._w=o*h-n*a-s*l-r*c,this._onChangeCallback(),this}slerp(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=this.dot(t);a<0&&(n=-n,s=-s,r=-r,o=-o,a=-a);let l=1-e;if(a<.9995){let c=Math.acos(a),h=Math.sin(c);l=Math.sin(l*c)/h,e=Math.sin(e*c)/h,this._x=this._x*l+n*e,this._y=this._y*l+s*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this._onChangeCallback()}else this._x=this._x*l+n*e,this._y=this._y*l+s*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this.normalize();return this}slerpQuaternions(t,e,n){return this.copy(t).slerp(e,n)}random(){let t=2*Math.PI*Math.random(),e=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(t),s*Math.cos(t),r*Math.sin(e),r*Math.cos(e))}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._w===this._w}fromArray(t,e=0){return this._x=t[e],this._y=t[e+1],this._z=t[e+2],this._w=t[e+3],this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._w,t}fromBufferAttribute(t,e){return this._x=t.getX(e),this._y=t.getY(e),this._z=t.getZ(e),this._w=t.getW(e),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},tf=class tf{constructor(t=0,e=0,n=0){this.x=t,this.y=e,this.z=n}set(t,e,n){return n===void 0&&(n=this.z),this.x=t,this.y=e,this.z=n,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;default:throw new Error("THREE.Vector3: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this}multiplyVectors(t,e){return this.x=t.x*e.x,this.y=t.y*e.y,this.z=t.z*e.z,this}applyEuler(t){return this.applyQuaternion(sp.setFromEuler(t))}applyAxisAngle(t,e){return this.applyQuaternion(sp.setFromAxisAngle(t,e))}applyMatrix3(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[3]*n+r[6]*s,this.y=r[1]*e+r[4]*n+r[7]*s,this.z=r[2]*e+r[5]*n+r[8]*s,this}applyNormalMatrix(t){return this.applyMatrix3(t).normalize()}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=t.elements,o=1/(r[3]*e+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*e+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*e+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*e+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(t){let e=this.x,n=this.y,s=this.z,r=t.x,o=t.y,a=t.z,l=t.w,c=2*(o*s-a*n),h=2*(a*e-r*s),u=2*(r*n-o*e);return this.x=e+l*c+o*u-a*h,this.y=n+l*h+a*c-r*u,this.z=s+l*u+r*h-o*c,this}project(t){return this.applyMatrix4(t.matrixWorldInverse).applyMatrix4(t.projectionMatrix)}unproject(t){return this.applyMatrix4(t.projectionMatrixInverse).applyMatrix4(t.matrixWorld)}transformDirection(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[4]*n+r[8]*s,this.y=r[1]*e+r[5]*n+r[9]*s,this.z=r[2]*e+r[6]*n+r[10]*s,this.normalize()}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this}divideScalar(t){return this.multiplyScalar(1/t)}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this}clamp(t,e){return this.x=xe(this.x,t.x,e.x),this.y=xe(this.y,t.y,e.y),this.z=xe(this.z,t.z,e.z),this}clampScalar(t,e){return this.x=xe(this.x,t,e),this.y=xe(this.y,t,e),this.z=xe(this.z,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(xe(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this}cross(t){return this.crossVectors(this,t)}crossVectors(t,e){let n=t.x,s=t.y,r=t.z,o=e.x,a=e.y,l=e.z;return this.x=s*l-r*a,this.y=r*o-n*l,this.z=n*a-s*o,this}projectOnVector(t){let e=t.lengthSq();if(e===0)return this.set(0,0,0);let n=t.dot(this)/e;return this.copy(t).multiplyScalar(n)}projectOnPlane(t){return jh.copy(this).projectOnVector(t),this.sub(jh)}reflect(t){return this.sub(jh.copy(t).multiplyScalar(2*this.dot(t)))}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(xe(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y,s=this.z-t.z;return e*e+n*n+s*s}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)+Math.abs(this.z-t.z)}setFromSpherical(t){return this.setFromSphericalCoords(t.radius,t.phi,t.theta)}setFromSphericalCoords(t,e,n){let s=Math.sin(e)*t;return this.x=s*Math.sin(n),this.y=Math.cos(e)*t,this.z=s*Math.cos(n),this}setFromCylindrical(t){return this.setFromCylindricalCoords(t.radius,t.theta,t.y)}setFromCylindricalCoords(t,e,n){return this.x=t*Math.sin(e),this.y=n,this.z=t*Math.cos(e),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this}setFromMatrixScale(t){let e=this.setFromMatrixColumn(t,0).length(),n=this.setFromMatrixColumn(t,1).length(),s=this.setFromMatrixColumn(t,2).length();return this.x=e,this.y=n,this.z=s,this}setFromMatrixColumn(t,e){return this.fromArray(t.elements,e*4)}setFromMatrix3Column(t,e){return this.fromArray(t.elements,e*3)}setFromEuler(t){return this.x=t._x,this.y=t._y,this.z=t._z,this}setFromColor(t){return this.x=t.r,this.y=t.g,this.z=t.b,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let t=Math.random()*Math.PI*2,e=Math.random()*2-1,n=Math.sqrt(1-e*e);return this.x=n*Math.cos(t),this.y=e,this.z=n*Math.sin(t),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}};tf.prototype.isVector3=!0;var $=tf,jh=new $,sp=new Zi,ef=class ef{constructor(t,e,n,s,r,o,a,l,c){this.elements=[1,0,0,0,1,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c)}set(t,e,n,s,r,o,a,l,c){let h=this.elements;return h[0]=t,h[1]=s,h[2]=a,h[3]=e,h[4]=r,h[5]=l,h[6]=n,h[7]=o,h[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],this}extractBasis(t,e,n){return t.setFromMatrix3Column(this,0),e.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(t){let e=t.elements;return this.set(e[0],e[4],e[8],e[1],e[5],e[9],e[2],e[6],e[10]),this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[3],l=n[6],c=n[1],h=n[4],u=n[7],f=n[2],d=n[5],g=n[8],v=s[0],m=s[3],p=s[6],S=s[1],y=s[4],M=s[7],R=s[2],A=s[5],x=s[8];return r[0]=o*v+a*S+l*R,r[3]=o*m+a*y+l*A,r[6]=o*p+a*M+l*x,r[1]=c*v+h*S+u*R,r[4]=c*m+h*y+u*A,r[7]=c*p+h*M+u*x,r[2]=f*v+d*S+g*R,r[5]=f*m+d*y+g*A,r[8]=f*p+d*M+g*x,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[3]*=t,e[6]*=t,e[1]*=t,e[4]*=t,e[7]*=t,e[2]*=t,e[5]*=t,e[8]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8];return e*o*h-e*a*c-n*r*h+n*a*l+s*r*c-s*o*l}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],u=h*o-a*c,f=a*l-h*r,d=c*r-o*l,g=e*u+n*f+s*d;if(g===0)return this.set(0,0,0,0,0,0,0,0,0);let v=1/g;return t[0]=u*v,t[1]=(s*c-h*n)*v,t[2]=(a*n-s*o)*v,t[3]=f*v,t[4]=(h*e-s*l)*v,t[5]=(s*r-a*e)*v,t[6]=d*v,t[7]=(n*l-c*e)*v,t[8]=(o*e-n*r)*v,this}transpose(){let t,e=this.elements;return t=e[1],e[1]=e[3],e[3]=t,t=e[2],e[2]=e[6],e[6]=t,t=e[5],e[5]=e[7],e[7]=t,this}getNormalMatrix(t){return this.setFromMatrix4(t).invert().transpose()}transposeIntoArray(t){let e=this.elements;return t[0]=e[0],t[1]=e[3],t[2]=e[6],t[3]=e[1],t[4]=e[4],t[5]=e[7],t[6]=e[2],t[7]=e[5],t[8]=e[8],this}setUvTransform(t,e,n,s,r,o,a){let l=Math.cos(r),c=Math.sin(r);return this.set(n*l,n*c,-n*(l*o+c*a)+o+t,-s*c,s*l,-s*(-c*o+l*a)+a+e,0,0,1),this}scale(t,e){return Go("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(Qh.makeScale(t,e)),this}rotate(t){return Go("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(Qh.makeRotation(-t)),this}translate(t,e){return Go("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(Qh.makeTranslation(t,e)),this}makeTranslation(t,e){return t.isVector2?this.set(1,0,t.x,0,1,t.y,0,0,1):this.set(1,0,t,0,1,e,0,0,1),this}makeRotation(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,n,e,0,0,0,1),this}makeScale(t,e){return this.set(t,0,0,0,e,0,0,0,1),this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<9;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<9;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t}clone(){return new this.constructor().fromArray(this.elements)}};ef.prototype.isMatrix3=!0;var Qt=ef,Qh=new Qt,rp=new Qt().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),op=new Qt().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function I_(){let i={enabled:!0,workingColorSpace:gs,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===we&&(s.r=ps(s.r),s.g=ps(s.g),s.b=ps(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===we&&(s.r=Zr(s.r),s.g=Zr(s.g),s.b=Zr(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===Ss?Wo:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],e=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[gs]:{primaries:t,whitePoint:n,transfer:Wo,toXYZ:rp,fromXYZ:op,luminanceCoefficients:e,workingColorSpaceConfig:{unpackColorSpace:si},outputColorSpaceConfig:{drawingBufferColorSpace:si}},[si]:{primaries:t,whitePoint:n,transfer:we,toXYZ:rp,fromXYZ:op,luminanceCoefficients:e,outputColorSpaceConfig:{drawingBufferColorSpace:si}}}),i}var de=I_();function ps(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function Zr(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}var Ur,Gl=class{static getDataURL(t,e="image/png"){if(/^data:/i.test(t.src)||typeof HTMLCanvasElement>"u")return t.src;let n;if(t instanceof HTMLCanvasElement)n=t;else{Ur===void 0&&(Ur=qo("canvas")),Ur.width=t.width,Ur.height=t.height;let s=Ur.getContext("2d");t instanceof ImageData?s.putImageData(t,0,0):s.drawImage(t,0,0,t.width,t.height),n=Ur}return n.toDataURL(e)}static sRGBToLinear(t){if(typeof HTMLImageElement<"u"&&t instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&t instanceof ImageBitmap){let e=qo("canvas");e.width=t.width,e.height=t.height;let n=e.getContext("2d");n.drawImage(t,0,0,t.width,t.height);let s=n.getImageData(0,0,t.width,t.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=ps(r[o]/255)*255;return n.putImageData(s,0,0),e}else if(t.data){let e=t.data.slice(0);for(let n=0;n<e.length;n++)e instanceof Uint8Array||e instanceof Uint8ClampedArray?e[n]=Math.floor(ps(e[n]/255)*255):e[n]=ps(e[n]);return{data:e,width:t.width,height:t.height}}else return Yt("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),t}},L_=0,Qr=class{constructor(t=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:L_++}),this.uuid=hr(),this.data=t,this.dataReady=!0,this.version=0}getSize(t){let e=this.data;return typeof HTMLVideoElement<"u"&&e instanceof HTMLVideoElement?t.set(e.videoWidth,e.videoHeight,0):typeof VideoFrame<"u"&&e instanceof VideoFrame?t.set(e.displayWidth,e.displayHeight,0):e!==null?t.set(e.width||0,e.height||0,e.depth||0):t.set(0,0,0),t}set needsUpdate(t){t===!0&&this.version++}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.images[this.uuid]!==void 0)return t.images[this.uuid];let n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(tu(s[o].image)):r.push(tu(s[o]))}else r=tu(s);n.url=r}return e||(t.images[this.uuid]=n),n}};function tu(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?Gl.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(Yt("Texture: Unable to serialize Texture."),{})}var N_=0,eu=new $,Jn=class i extends $i{constructor(t=i.DEFAULT_IMAGE,e=i.DEFAULT_MAPPING,n=Yi,s=Yi,r=qn,o=ys,a=Ni,l=li,c=i.DEFAULT_ANISOTROPY,h=Ss){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:N_++}),this.uuid=hr(),this.name="",this.source=new Qr(t),this.mipmaps=[],this.mapping=e,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=c,this.format=a,this.internalFormat=null,this.type=l,this.offset=new pe(0,0),this.repeat=new pe(1,1),this.center=new pe(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new Qt,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(eu).x}get height(){return this.source.getSize(eu).y}get depth(){return this.source.getSize(eu).z}get image(){return this.source.data}set image(t){this.source.data=t}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(t){return this.name=t.name,this.source=t.source,this.mipmaps=t.mipmaps.slice(0),this.mapping=t.mapping,this.channel=t.channel,this.wrapS=t.wrapS,this.wrapT=t.wrapT,this.magFilter=t.magFilter,this.minFilter=t.minFilter,this.anisotropy=t.anisotropy,this.format=t.format,this.internalFormat=t.internalFormat,this.type=t.type,this.normalized=t.normalized,this.offset.copy(t.offset),this.repeat.copy(t.repeat),this.center.copy(t.center),this.rotation=t.rotation,this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrix.copy(t.matrix),this.generateMipmaps=t.generateMipmaps,this.mipmapsAutoUpdate=t.mipmapsAutoUpdate,this.premultiplyAlpha=t.premultiplyAlpha,this.flipY=t.flipY,this.unpackAlignment=t.unpackAlignment,this.colorSpace=t.colorSpace,this.renderTarget=t.renderTarget,this.isRenderTargetTexture=t.isRenderTargetTexture,this.isPMREMTexture=t.isPMREMTexture,this.isArrayTexture=t.isArrayTexture,this.userData=JSON.parse(JSON.stringify(t.userData)),this.needsUpdate=!0,this}setValues(t){for(let e in t){let n=t[e];if(n===void 0){Yt(`Texture.setValues(): parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){Yt(`Texture.setValues(): property '${e}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.textures[this.uuid]!==void 0)return t.textures[this.uuid];let n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(t).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),e||(t.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(t){if(this.mapping!==Fu)return t;if(t.applyMatrix3(this.matrix),t.x<0||t.x>1)switch(this.wrapS){case Bl:t.x=t.x-Math.floor(t.x);break;case Yi:t.x=t.x<0?0:1;break;case kl:Math.abs(Math.floor(t.x)%2)===1?t.x=Math.ceil(t.x)-t.x:t.x=t.x-Math.floor(t.x);break}if(t.y<0||t.y>1)switch(this.wrapT){case Bl:t.y=t.y-Math.floor(t.y);break;case Yi:t.y=t.y<0?0:1;break;case kl:Math.abs(Math.floor(t.y)%2)===1?t.y=Math.ceil(t.y)-t.y:t.y=t.y-Math.floor(t.y);break}return this.flipY&&(t.y=1-t.y),t}set needsUpdate(t){t===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(t){t===!0&&this.pmremVersion++}};Jn.DEFAULT_IMAGE=null;Jn.DEFAULT_MAPPING=Fu;Jn.DEFAULT_ANISOTROPY=1;var nf=class nf{constructor(t=0,e=0,n=0,s=1){this.x=t,this.y=e,this.z=n,this.w=s}get width(){return this.z}set width(t){this.z=t}get height(){return this.w}set height(t){this.w=t}set(t,e,n,s){return this.x=t,this.y=e,this.z=n,this.w=s,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this.w=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setW(t){return this.w=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;case 3:this.w=e;break;default:throw new Error("THREE.Vector4: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this.w=t.w!==void 0?t.w:1,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this.w+=t.w,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this.w+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this.w=t.w+e.w,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this.w+=t.w*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this.w-=t.w,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this.w-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this.w=t.w-e.w,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this.w*=t.w,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this.w*=t,this}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=this.w,o=t.elements;return this.x=o[0]*e+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*e+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*e+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*e+o[7]*n+o[11]*s+o[15]*r,this}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this.w/=t.w,this}divideScalar(t){return this.multiplyScalar(1/t)}setAxisAngleFromQuaternion(t){this.w=2*Math.acos(t.w);let e=Math.sqrt(1-t.w*t.w);return e<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=t.x/e,this.y=t.y/e,this.z=t.z/e),this}setAxisAngleFromRotationMatrix(t){let e,n,s,r,l=t.elements,c=l[0],h=l[4],u=l[8],f=l[1],d=l[5],g=l[9],v=l[2],m=l[6],p=l[10];if(Math.abs(h-f)<.01&&Math.abs(u-v)<.01&&Math.abs(g-m)<.01){if(Math.abs(h+f)<.1&&Math.abs(u+v)<.1&&Math.abs(g+m)<.1&&Math.abs(c+d+p-3)<.1)return this.set(1,0,0,0),this;e=Math.PI;let y=(c+1)/2,M=(d+1)/2,R=(p+1)/2,A=(h+f)/4,x=(u+v)/4,E=(g+m)/4;return y>M&&y>R?y<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(y),s=A/n,r=x/n):M>R?M<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(M),n=A/s,r=E/s):R<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(R),n=x/r,s=E/r),this.set(n,s,r,e),this}let S=Math.sqrt((m-g)*(m-g)+(u-v)*(u-v)+(f-h)*(f-h));return Math.abs(S)<.001&&(S=1),this.x=(m-g)/S,this.y=(u-v)/S,this.z=(f-h)/S,this.w=Math.acos((c+d+p-1)/2),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this.w=e[15],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this.w=Math.min(this.w,t.w),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this.w=Math.max(this.w,t.w),this}clamp(t,e){return this.x=xe(this.x,t.x,e.x),this.y=xe(this.y,t.y,e.y),this.z=xe(this.z,t.z,e.z),this.w=xe(this.w,t.w,e.w),this}clampScalar(t,e){return this.x=xe(this.x,t,e),this.y=xe(this.y,t,e),this.z=xe(this.z,t,e),this.w=xe(this.w,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(xe(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z+this.w*t.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this.w+=(t.w-this.w)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this.w=t.w+(e.w-t.w)*n,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z&&t.w===this.w}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this.w=t[e+3],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t[e+3]=this.w,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this.w=t.getW(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}};nf.prototype.isVector4=!0;var De=nf,Hl=class extends $i{constructor(t=1,e=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:qn,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=t,this.height=e,this.depth=n.depth,this.scissor=new De(0,0,t,e),this.scissorTest=!1,this.viewport=new De(0,0,t,e),this.textures=[];let s=n.count;for(let r=0;r<s;r++)this.textures[r]=new Jn({width:t,height:e,depth:n.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(t={}){let e={minFilter:qn,generateMipmaps:!1,flipY:!1,internalFormat:null};t.mapping!==void 0&&(e.mapping=t.mapping),t.wrapS!==void 0&&(e.wrapS=t.wrapS),t.wrapT!==void 0&&(e.wrapT=t.wrapT),t.wrapR!==void 0&&(e.wrapR=t.wrapR),t.magFilter!==void 0&&(e.magFilter=t.magFilter),t.minFilter!==void 0&&(e.minFilter=t.minFilter),t.format!==void 0&&(e.format=t.format),t.type!==void 0&&(e.type=t.type),t.anisotropy!==void 0&&(e.anisotropy=t.anisotropy),t.colorSpace!==void 0&&(e.colorSpace=t.colorSpace),t.flipY!==void 0&&(e.flipY=t.flipY),t.generateMipmaps!==void 0&&(e.generateMipmaps=t.generateMipmaps),t.mipmapsAutoUpdate!==void 0&&(e.mipmapsAutoUpdate=t.mipmapsAutoUpdate),t.internalFormat!==void 0&&(e.internalFormat=t.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(e)}get texture(){return this.textures[0]}set texture(t){this.textures[0]=t}set depthTexture(t){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),t!==null&&t.renderTarget===null&&(t.renderTarget=this),this._depthTexture=t}get depthTexture(){return this._depthTexture}setSize(t,e,n=1){if(this.width!==t||this.height!==e||this.depth!==n){this.width=t,this.height=e,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=t,this.textures[s].image.height=e,this.textures[s].image.depth=n,this.textures[s].isData3DTexture!==!0&&(this.textures[s].isArrayTexture=this.textures[s].image.depth>1);this.dispose()}this.viewport.set(0,0,t,e),this.scissor.set(0,0,t,e)}clone(){return new this.constructor().copy(this)}copy(t){this.width=t.width,this.height=t.height,this.depth=t.depth,this.scissor.copy(t.scissor),this.scissorTest=t.scissorTest,this.viewport.copy(t.viewport),this.textures.length=0;for(let e=0,n=t.textures.length;e<n;e++){this.textures[e]=t.textures[e].clone(),this.textures[e].isRenderTargetTexture=!0,this.textures[e].renderTarget=this;let s=Object.assign({},t.textures[e].image);this.textures[e].source=new Qr(s)}if(this.depthBuffer=t.depthBuffer,this.stencilBuffer=t.stencilBuffer,this.resolveColorBuffer=t.resolveColorBuffer,this.resolveDepthBuffer=t.resolveDepthBuffer,this.resolveStencilBuffer=t.resolveStencilBuffer,this.storeMultisampledColorBuffer=t.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=t.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=t.storeMultisampledStencilBuffer,t.depthTexture!==null)if(t.depthTexture.renderTarget===t){let e=t.depthTexture.clone();e.renderTarget=null,this.depthTexture=e}else this.depthTexture=t.depthTexture;else this.depthTexture=null;return this.samples=t.samples,this.multiview=t.multiview,this.useArrayDepthTexture=t.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},ri=class extends Hl{constructor(t=1,e=1,n={}){super(t,e,n),this.isWebGLRenderTarget=!0}},$o=class extends Jn{constructor(t=null,e=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Tn,this.minFilter=Tn,this.wrapR=Yi,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}addLayerUpdate(t){this.layerUpdates.add(t)}clearLayerUpdates(){this.layerUpdates.clear()}};var Wl=class extends Jn{constructor(t=null,e=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Tn,this.minFilter=Tn,this.wrapR=Yi,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}};var uc=class uc{constructor(t,e,n,s,r,o,a,l,c,h,u,f,d,g,v,m){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c,h,u,f,d,g,v,m)}set(t,e,n,s,r,o,a,l,c,h,u,f,d,g,v,m){let p=this.elements;return p[0]=t,p[4]=e,p[8]=n,p[12]=s,p[1]=r,p[5]=o,p[9]=a,p[13]=l,p[2]=c,p[6]=h,p[10]=u,p[14]=f,p[3]=d,p[7]=g,p[11]=v,p[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new uc().fromArray(this.elements)}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],e[9]=n[9],e[10]=n[10],e[11]=n[11],e[12]=n[12],e[13]=n[13],e[14]=n[14],e[15]=n[15],this}copyPosition(t){let e=this.elements,n=t.elements;return e[12]=n[12],e[13]=n[13],e[14]=n[14],this}setFromMatrix3(t){let e=t.elements;return this.set(e[0],e[3],e[6],0,e[1],e[4],e[7],0,e[2],e[5],e[8],0,0,0,0,1),this}extractBasis(t,e,n){return this.determinantAffine()===0?(t.set(1,0,0),e.set(0,1,0),n.set(0,0,1),this):(t.setFromMatrixColumn(this,0),e.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(t,e,n){return this.set(t.x,e.x,n.x,0,t.y,e.y,n.y,0,t.z,e.z,n.z,0,0,0,0,1),this}extractRotation(t){if(t.determinantAffine()===0)return this.identity();let e=this.elements,n=t.elements,s=1/Fr.setFromMatrixColumn(t,0).length(),r=1/Fr.setFromMatrixColumn(t,1).length(),o=1/Fr.setFromMatrixColumn(t,2).length();return e[0]=n[0]*s,e[1]=n[1]*s,e[2]=n[2]*s,e[3]=0,e[4]=n[4]*r,e[5]=n[5]*r,e[6]=n[6]*r,e[7]=0,e[8]=n[8]*o,e[9]=n[9]*o,e[10]=n[10]*o,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromEuler(t){let e=this.elements,n=t.x,s=t.y,r=t.z,o=Math.cos(n),a=Math.sin(n),l=Math.cos(s),c=Math.sin(s),h=Math.cos(r),u=Math.sin(r);if(t.order==="XYZ"){let f=o*h,d=o*u,g=a*h,v=a*u;e[0]=l*h,e[4]=-l*u,e[8]=c,e[1]=d+g*c,e[5]=f-v*c,e[9]=-a*l,e[2]=v-f*c,e[6]=g+d*c,e[10]=o*l}else if(t.order==="YXZ"){let f=l*h,d=l*u,g=c*h,v=c*u;e[0]=f+v*a,e[4]=g*a-d,e[8]=o*c,e[1]=o*u,e[5]=o*h,e[9]=-a,e[2]=d*a-g,e[6]=v+f*a,e[10]=o*l}else if(t.order==="ZXY"){let f=l*h,d=l*u,g=c*h,v=c*u;e[0]=f-v*a,e[4]=-o*u,e[8]=g+d*a,e[1]=d+g*a,e[5]=o*h,e[9]=v-f*a,e[2]=-o*c,e[6]=a,e[10]=o*l}else if(t.order==="ZYX"){let f=o*h,d=o*u,g=a*h,v=a*u;e[0]=l*h,e[4]=g*c-d,e[8]=f*c+v,e[1]=l*u,e[5]=v*c+f,e[9]=d*c-g,e[2]=-c,e[6]=a*l,e[10]=o*l}else if(t.order==="YZX"){let f=o*l,d=o*c,g=a*l,v=a*c;e[0]=l*h,e[4]=v-f*u,e[8]=g*u+d,e[1]=u,e[5]=o*h,e[9]=-a*h,e[2]=-c*h,e[6]=d*u+g,e[10]=f-v*u}else if(t.order==="XZY"){let f=o*l,d=o*c,g=a*l,v=a*c;e[0]=l*h,e[4]=-u,e[8]=c*h,e[1]=f*u+v,e[5]=o*h,e[9]=d*u-g,e[2]=g*u-d,e[6]=a*h,e[10]=v*u+f}return e[3]=0,e[7]=0,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromQuaternion(t){return this.compose(D_,t,U_)}lookAt(t,e,n){let s=this.elements;return ni.subVectors(t,e),ni.lengthSq()===0&&(ni.z=1),ni.normalize(),Ns.crossVectors(n,ni),Ns.lengthSq()===0&&(Math.abs(n.z)===1?ni.x+=1e-4:ni.z+=1e-4,ni.normalize(),Ns.crossVectors(n,ni)),Ns.normalize(),al.crossVectors(ni,Ns),s[0]=Ns.x,s[4]=al.x,s[8]=ni.x,s[1]=Ns.y,s[5]=al.y,s[9]=ni.y,s[2]=Ns.z,s[6]=al.z,s[10]=ni.z,this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[4],l=n[8],c=n[12],h=n[1],u=n[5],f=n[9],d=n[13],g=n[2],v=n[6],m=n[10],p=n[14],S=n[3],y=n[7],M=n[11],R=n[15],A=s[0],x=s[4],E=s[8],z=s[12],U=s[1],L=s[5],H=s[9],W=s[13],N=s[2],G=s[6],J=s[10],V=s[14],ct=s[3],K=s[7],Q=s[11],st=s[15];return r[0]=o*A+a*U+l*N+c*ct,r[4]=o*x+a*L+l*G+c*K,r[8]=o*E+a*H+l*J+c*Q,r[12]=o*z+a*W+l*V+c*st,r[1]=h*A+u*U+f*N+d*ct,r[5]=h*x+u*L+f*G+d*K,r[9]=h*E+u*H+f*J+d*Q,r[13]=h*z+u*W+f*V+d*st,r[2]=g*A+v*U+m*N+p*ct,r[6]=g*x+v*L+m*G+p*K,r[10]=g*E+v*H+m*J+p*Q,r[14]=g*z+v*W+m*V+p*st,r[3]=S*A+y*U+M*N+R*ct,r[7]=S*x+y*L+M*G+R*K,r[11]=S*E+y*H+M*J+R*Q,r[15]=S*z+y*W+M*V+R*st,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[4]*=t,e[8]*=t,e[12]*=t,e[1]*=t,e[5]*=t,e[9]*=t,e[13]*=t,e[2]*=t,e[6]*=t,e[10]*=t,e[14]*=t,e[3]*=t,e[7]*=t,e[11]*=t,e[15]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[12],o=t[1],a=t[5],l=t[9],c=t[13],h=t[2],u=t[6],f=t[10],d=t[14],g=t[3],v=t[7],m=t[11],p=t[15],S=l*d-c*f,y=a*d-c*u,M=a*f-l*u,R=o*d-c*h,A=o*f-l*h,x=o*u-a*h;return e*(v*S-m*y+p*M)-n*(g*S-m*R+p*A)+s*(g*y-v*R+p*x)-r*(g*M-v*A+m*x)}determinantAffine(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[1],o=t[5],a=t[9],l=t[2],c=t[6],h=t[10];return e*(o*h-a*c)-n*(r*h-a*l)+s*(r*c-o*l)}transpose(){let t=this.elements,e;return e=t[1],t[1]=t[4],t[4]=e,e=t[2],t[2]=t[8],t[8]=e,e=t[6],t[6]=t[9],t[9]=e,e=t[3],t[3]=t[12],t[12]=e,e=t[7],t[7]=t[13],t[13]=e,e=t[11],t[11]=t[14],t[14]=e,this}setPosition(t,e,n){let s=this.elements;return t.isVector3?(s[12]=t.x,s[13]=t.y,s[14]=t.z):(s[12]=t,s[13]=e,s[14]=n),this}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],u=t[9],f=t[10],d=t[11],g=t[12],v=t[13],m=t[14],p=t[15],S=e*a-n*o,y=e*l-s*o,M=e*c-r*o,R=n*l-s*a,A=n*c-r*a,x=s*c-r*l,E=h*v-u*g,z=h*m-f*g,U=h*p-d*g,L=u*m-f*v,H=u*p-d*v,W=f*p-d*m,N=S*W-y*H+M*L+R*U-A*z+x*E;if(N===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let G=1/N;return t[0]=(a*W-l*H+c*L)*G,t[1]=(s*H-n*W-r*L)*G,t[2]=(v*x-m*A+p*R)*G,t[3]=(f*A-u*x-d*R)*G,t[4]=(l*U-o*W-c*z)*G,t[5]=(e*W-s*U+r*z)*G,t[6]=(m*M-g*x-p*y)*G,t[7]=(h*x-f*M+d*y)*G,t[8]=(o*H-a*U+c*E)*G,t[9]=(n*U-e*H-r*E)*G,t[10]=(g*A-v*M+p*S)*G,t[11]=(u*M-h*A-d*S)*G,t[12]=(a*z-o*L-l*E)*G,t[13]=(e*L-n*z+s*E)*G,t[14]=(v*y-g*R-m*S)*G,t[15]=(h*R-u*y+f*S)*G,this}scale(t){let e=this.elements,n=t.x,s=t.y,r=t.z;return e[0]*=n,e[4]*=s,e[8]*=r,e[1]*=n,e[5]*=s,e[9]*=r,e[2]*=n,e[6]*=s,e[10]*=r,e[3]*=n,e[7]*=s,e[11]*=r,this}getMaxScaleOnAxis(){let t=this.elements,e=t[0]*t[0]+t[1]*t[1]+t[2]*t[2],n=t[4]*t[4]+t[5]*t[5]+t[6]*t[6],s=t[8]*t[8]+t[9]*t[9]+t[10]*t[10];return Math.sqrt(Math.max(e,n,s))}makeTranslation(t,e,n){return t.isVector3?this.set(1,0,0,t.x,0,1,0,t.y,0,0,1,t.z,0,0,0,1):this.set(1,0,0,t,0,1,0,e,0,0,1,n,0,0,0,1),this}makeRotationX(t){let e=Math.cos(t),n=Math.sin(t);return this.set(1,0,0,0,0,e,-n,0,0,n,e,0,0,0,0,1),this}makeRotationY(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,0,n,0,0,1,0,0,-n,0,e,0,0,0,0,1),this}makeRotationZ(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,0,n,e,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(t,e){let n=Math.cos(e),s=Math.sin(e),r=1-n,o=t.x,a=t.y,l=t.z,c=r*o,h=r*a;return this.set(c*o+n,c*a-s*l,c*l+s*a,0,c*a+s*l,h*a+n,h*l-s*o,0,c*l-s*a,h*l+s*o,r*l*l+n,0,0,0,0,1),this}makeScale(t,e,n){return this.set(t,0,0,0,0,e,0,0,0,0,n,0,0,0,0,1),this}makeShear(t,e,n,s,r,o){return this.set(1,n,r,0,t,1,o,0,e,s,1,0,0,0,0,1),this}compose(t,e,n){let s=this.elements,r=e._x,o=e._y,a=e._z,l=e._w,c=r+r,h=o+o,u=a+a,f=r*c,d=r*h,g=r*u,v=o*h,m=o*u,p=a*u,S=l*c,y=l*h,M=l*u,R=n.x,A=n.y,x=n.z;return s[0]=(1-(v+p))*R,s[1]=(d+M)*R,s[2]=(g-y)*R,s[3]=0,s[4]=(d-M)*A,s[5]=(1-(f+p))*A,s[6]=(m+S)*A,s[7]=0,s[8]=(g+y)*x,s[9]=(m-S)*x,s[10]=(1-(f+v))*x,s[11]=0,s[12]=t.x,s[13]=t.y,s[14]=t.z,s[15]=1,this}decompose(t,e,n){let s=this.elements;t.x=s[12],t.y=s[13],t.z=s[14];let r=this.determinantAffine();if(r===0)return n.set(1,1,1),e.identity(),this;let o=Fr.set(s[0],s[1],s[2]).length(),a=Fr.set(s[4],s[5],s[6]).length(),l=Fr.set(s[8],s[9],s[10]).length();r<0&&(o=-o),Ei.copy(this);let c=1/o,h=1/a,u=1/l;return Ei.elements[0]*=c,Ei.elements[1]*=c,Ei.elements[2]*=c,Ei.elements[4]*=h,Ei.elements[5]*=h,Ei.elements[6]*=h,Ei.elements[8]*=u,Ei.elements[9]*=u,Ei.elements[10]*=u,e.setFromRotationMatrix(Ei),n.x=o,n.y=a,n.z=l,this}makePerspective(t,e,n,s,r,o,a=gi,l=!1){let c=this.elements,h=2*r/(e-t),u=2*r/(n-s),f=(e+t)/(e-t),d=(n+s)/(n-s),g,v;if(l)g=r/(o-r),v=o*r/(o-r);else if(a===gi)g=-(o+r)/(o-r),v=-2*o*r/(o-r);else if(a===Xo)g=-o/(o-r),v=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=f,c[12]=0,c[1]=0,c[5]=u,c[9]=d,c[13]=0,c[2]=0,c[6]=0,c[10]=g,c[14]=v,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(t,e,n,s,r,o,a=gi,l=!1){let c=this.elements,h=2/(e-t),u=2/(n-s),f=-(e+t)/(e-t),d=-(n+s)/(n-s),g,v;if(l)g=1/(o-r),v=o/(o-r);else if(a===gi)g=-2/(o-r),v=-(o+r)/(o-r);else if(a===Xo)g=-1/(o-r),v=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=0,c[12]=f,c[1]=0,c[5]=u,c[9]=0,c[13]=d,c[2]=0,c[6]=0,c[10]=g,c[14]=v,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<16;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<16;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t[e+9]=n[9],t[e+10]=n[10],t[e+11]=n[11],t[e+12]=n[12],t[e+13]=n[13],t[e+14]=n[14],t[e+15]=n[15],t}};uc.prototype.isMatrix4=!0;var Ie=uc,Fr=new $,Ei=new Ie,D_=new $(0,0,0),U_=new $(1,1,1),Ns=new $,al=new $,ni=new $,ap=new Ie,lp=new Zi,ks=class i{constructor(t=0,e=0,n=0,s=i.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=e,this._z=n,this._order=s}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get order(){return this._order}set order(t){this._order=t,this._onChangeCallback()}set(t,e,n,s=this._order){return this._x=t,this._y=e,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(t){return this._x=t._x,this._y=t._y,this._z=t._z,this._order=t._order,this._onChangeCallback(),this}setFromRotationMatrix(t,e=this._order,n=!0){let s=t.elements,r=s[0],o=s[4],a=s[8],l=s[1],c=s[5],h=s[9],u=s[2],f=s[6],d=s[10];switch(e){case"XYZ":this._y=Math.asin(xe(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-h,d),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(f,c),this._z=0);break;case"YXZ":this._x=Math.asin(-xe(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(a,d),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-u,r),this._z=0);break;case"ZXY":this._x=Math.asin(xe(f,-1,1)),Math.abs(f)<.9999999?(this._y=Math.atan2(-u,d),this._z=Math.atan2(-o,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-xe(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(f,d),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-o,c));break;case"YZX":this._z=Math.asin(xe(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-h,c),this._y=Math.atan2(-u,r)):(this._x=0,this._y=Math.atan2(a,d));break;case"XZY":this._z=Math.asin(-xe(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(f,c),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-h,d),this._y=0);break;default:Yt("Euler: .setFromRotationMatrix() encountered an unknown order: "+e)}return this._order=e,n===!0&&this._onChangeCallback(),this}setFromQuaternion(t,e,n){return ap.makeRotationFromQuaternion(t),this.setFromRotationMatrix(ap,e,n)}setFromVector3(t,e=this._order){return this.set(t.x,t.y,t.z,e)}reorder(t){return lp.setFromEuler(this),this.setFromQuaternion(lp,t)}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._order===this._order}fromArray(t){return this._x=t[0],this._y=t[1],this._z=t[2],t[3]!==void 0&&(this._order=t[3]),this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._order,t}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};ks.DEFAULT_ORDER="XYZ";var Zo=class{constructor(){this.mask=1}set(t){this.mask=(1<<t|0)>>>0}enable(t){this.mask|=1<<t|0}enableAll(){this.mask=-1}toggle(t){this.mask^=1<<t|0}disable(t){this.mask&=~(1<<t|0)}disableAll(){this.mask=0}test(t){return(this.mask&t.mask)!==0}isEnabled(t){return(this.mask&(1<<t|0))!==0}},F_=0,cp=new $,Or=new Zi,cs=new Ie,ll=new $,Uo=new $,O_=new $,B_=new Zi,hp=new $(1,0,0),up=new $(0,1,0),fp=new $(0,0,1),dp={type:"added"},k_={type:"removed"},Br={type:"childadded",child:null},nu={type:"childremoved",child:null},oi=class i extends $i{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:F_++}),this.uuid=hr(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=i.DEFAULT_UP.clone();let t=new $,e=new ks,n=new Zi,s=new $(1,1,1);function r(){n.setFromEuler(e,!1)}function o(){e.setFromQuaternion(n,void 0,!1)}e._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:e},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new Ie},normalMatrix:{value:new Qt}}),this.matrix=new Ie,this.matrixWorld=new Ie,this.matrixAutoUpdate=i.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=i.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new Zo,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(t){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(t),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(t){return this.quaternion.premultiply(t),this}setRotationFromAxisAngle(t,e){this.quaternion.setFromAxisAngle(t,e)}setRotationFromEuler(t){this.quaternion.setFromEuler(t,!0)}setRotationFromMatrix(t){this.quaternion.setFromRotationMatrix(t)}setRotationFromQuaternion(t){this.quaternion.copy(t)}rotateOnAxis(t,e){return Or.setFromAxisAngle(t,e),this.quaternion.multiply(Or),this}rotateOnWorldAxis(t,e){return Or.setFromAxisAngle(t,e),this.quaternion.premultiply(Or),this}rotateX(t){return this.rotateOnAxis(hp,t)}rotateY(t){return this.rotateOnAxis(up,t)}rotateZ(t){return this.rotateOnAxis(fp,t)}translateOnAxis(t,e){return cp.copy(t).applyQuaternion(this.quaternion),this.position.add(cp.multiplyScalar(e)),this}translateX(t){return this.translateOnAxis(hp,t)}translateY(t){return this.translateOnAxis(up,t)}translateZ(t){return this.translateOnAxis(fp,t)}localToWorld(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(this.matrixWorld)}worldToLocal(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(cs.copy(this.matrixWorld).invert())}lookAt(t,e,n){t.isVector3?ll.copy(t):ll.set(t,e,n);let s=this.parent;this.updateWorldMatrix(!0,!1),Uo.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?cs.lookAt(Uo,ll,this.up):cs.lookAt(ll,Uo,this.up),this.quaternion.setFromRotationMatrix(cs),s&&(cs.extractRotation(s.matrixWorld),Or.setFromRotationMatrix(cs),this.quaternion.premultiply(Or.invert()))}add(t){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return t===this?(jt("Object3D.add: object can't be added as a child of itself.",t),this):(t&&t.isObject3D?(t.removeFromParent(),t.parent=this,this.children.push(t),t.dispatchEvent(dp),Br.child=t,this.dispatchEvent(Br),Br.child=null):jt("Object3D.add: object not an instance of THREE.Object3D.",t),this)}remove(t){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}let e=this.children.indexOf(t);return e!==-1&&(t.parent=null,this.children.splice(e,1),t.dispatchEvent(k_),nu.child=t,this.dispatchEvent(nu),nu.child=null),this}removeFromParent(){let t=this.parent;return t!==null&&t.remove(this),this}clear(){return this.remove(...this.children)}attach(t){return this.updateWorldMatrix(!0,!1),cs.copy(this.matrixWorld).invert(),t.parent!==null&&(t.parent.updateWorldMatrix(!0,!1),cs.multiply(t.parent.matrixWorld)),t.applyMatrix4(cs),t.removeFromParent(),t.parent=this,this.children.push(t),t.updateWorldMatrix(!1,!0),t.dispatchEvent(dp),Br.child=t,this.dispatchEvent(Br),Br.child=null,this}getObjectById(t){return this.getObjectByProperty("id",t)}getObjectByName(t){return this.getObjectByProperty("name",t)}getObjectByProperty(t,e){if(this[t]===e)return this;for(let n=0,s=this.children.length;n<s;n++){let o=this.children[n].getObjectByProperty(t,e);if(o!==void 0)return o}}getObjectsByProperty(t,e,n=[]){this[t]===e&&n.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(t,e,n);return n}getWorldPosition(t){return this.updateWorldMatrix(!0,!1),t.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Uo,t,O_),t}getWorldScale(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Uo,B_,t),t}getWorldDirection(t){this.updateWorldMatrix(!0,!1);let e=this.matrixWorld.elements;return t.set(e[8],e[9],e[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(t){t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverse(t)}traverseVisible(t){if(this.visible===!1)return;t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverseVisible(t)}traverseAncestors(t){let e=this.parent;e!==null&&(t(e),e.traverseAncestors(t))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let t=this.pivot;if(t!==null){let e=t.x,n=t.y,s=t.z,r=this.matrix.elements;r[12]+=e-r[0]*e-r[4]*n-r[8]*s,r[13]+=n-r[1]*e-r[5]*n-r[9]*s,r[14]+=s-r[2]*e-r[6]*n-r[10]*s}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(t){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||t)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,t=!0);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].updateMatrixWorld(t)}updateWorldMatrix(t,e,n=!1){let s=this.parent;if(t===!0&&s!==null&&s.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),e===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,n)}}toJSON(t){let e=t===void 0||typeof t=="string",n={};e&&(t={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,s.name=this.name,s.castShadow=this.castShadow,s.receiveShadow=this.receiveShadow,s.visible=this.visible,s.frustumCulled=this.frustumCulled,s.renderOrder=this.renderOrder,s.static=this.static,s.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.pivot!==null&&(s.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(s.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(s.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(t),s.indirectTexture=this._indirectTexture.toJSON(t),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(t)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,l){return a[l.uuid]===void 0&&(a[l.uuid]=l.toJSON(t)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(t).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(t).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(t.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let l=a.shapes;if(Array.isArray(l))for(let c=0,h=l.length;c<h;c++){let u=l[c];r(t.shapes,u)}else r(t.shapes,l)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(t.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let l=0,c=this.material.length;l<c;l++)a.push(r(t.materials,this.material[l]));s.material=a}else s.material=r(t.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(t).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let l=this.animations[a];s.animations.push(r(t.animations,l))}}if(e){let a=o(t.geometries),l=o(t.materials),c=o(t.textures),h=o(t.images),u=o(t.shapes),f=o(t.skeletons),d=o(t.animations),g=o(t.nodes);a.length>0&&(n.geometries=a),l.length>0&&(n.materials=l),c.length>0&&(n.textures=c),h.length>0&&(n.images=h),u.length>0&&(n.shapes=u),f.length>0&&(n.skeletons=f),d.length>0&&(n.animations=d),g.length>0&&(n.nodes=g)}return n.object=s,n;function o(a){let l=[];for(let c in a){let h=a[c];delete h.metadata,l.push(h)}return l}}clone(t){return new this.constructor().copy(this,t)}copy(t,e=!0){if(this.name=t.name,this.up.copy(t.up),this.position.copy(t.position),this.rotation.order=t.rotation.order,this.quaternion.copy(t.quaternion),this.scale.copy(t.scale),this.pivot=t.pivot!==null?t.pivot.clone():null,this.matrix.copy(t.matrix),this.matrixWorld.copy(t.matrixWorld),this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrixWorldAutoUpdate=t.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=t.matrixWorldNeedsUpdate,this.layers.mask=t.layers.mask,this.visible=t.visible,this.castShadow=t.castShadow,this.receiveShadow=t.receiveShadow,this.frustumCulled=t.frustumCulled,this.renderOrder=t.renderOrder,this.static=t.static,this.animations=t.animations.slice(),this.userData=JSON.parse(JSON.stringify(t.userData)),e===!0)for(let n=0;n<t.children.length;n++){let s=t.children[n];this.add(s.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};oi.DEFAULT_UP=new $(0,1,0);oi.DEFAULT_MATRIX_AUTO_UPDATE=!0;oi.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var rr=class extends oi{constructor(){super(),this.isGroup=!0,this.type="Group"}},z_={type:"move"},to=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new rr,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new rr,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new $,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new $),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new rr,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new $,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new $,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(t){return this._targetRay!==null&&this._targetRay.dispatchEvent(t),this._grip!==null&&this._grip.dispatchEvent(t),this._hand!==null&&this._hand.dispatchEvent(t),this}connect(t){if(t&&t.hand){let e=this._hand;if(e)for(let n of t.hand.values())this._getHandJoint(e,n)}return this.dispatchEvent({type:"connected",data:t}),this}disconnect(t){return this.dispatchEvent({type:"disconnected",data:t}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(t,e,n){let s=null,r=null,o=null,a=this._targetRay,l=this._grip,c=this._hand;if(t&&e.session.visibilityState!=="visible-blurred"){if(c&&t.hand){o=!0;for(let v of t.hand.values()){let m=e.getJointPose(v,n),p=this._getHandJoint(c,v);m!==null&&(p.matrix.fromArray(m.transform.matrix),p.matrix.decompose(p.position,p.quaternion,p.scale),p.matrixWorldNeedsUpdate=!0,p.jointRadius=m.radius),p.visible=m!==null}let h=c.joints["index-finger-tip"],u=c.joints["thumb-tip"],f=h.position.distanceTo(u.position),d=.02,g=.005;c.inputState.pinching&&f>d+g?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:t.handedness,target:this})):!c.inputState.pinching&&f<=d-g&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:t.handedness,target:this}))}else l!==null&&t.gripSpace&&(r=e.getPose(t.gripSpace,n),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.quaternion,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1,l.eventsEnabled&&l.dispatchEvent({type:"gripUpdated",data:t,target:this})));a!==null&&(s=e.getPose(t.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(z_)))}return a!==null&&(a.visible=s!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=o!==null),this}_getHandJoint(t,e){if(t.joints[e.jointName]===void 0){let n=new rr;n.matrixAutoUpdate=!1,n.visible=!1,t.joints[e.jointName]=n,t.add(n)}return t.joints[e.jointName]}},dm={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},Ds={h:0,s:0,l:0},cl={h:0,s:0,l:0};function iu(i,t,e){return e<0&&(e+=1),e>1&&(e-=1),e<1/6?i+(t-i)*6*e:e<1/2?t:e<2/3?i+(t-i)*6*(2/3-e):i}var me=class{constructor(t,e,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(t,e,n)}set(t,e,n){if(e===void 0&&n===void 0){let s=t;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(t,e,n);return this}setScalar(t){return this.r=t,this.g=t,this.b=t,this}setHex(t,e=si){return t=Math.floor(t),this.r=(t>>16&255)/255,this.g=(t>>8&255)/255,this.b=(t&255)/255,de.colorSpaceToWorking(this,e),this}setRGB(t,e,n,s=de.workingColorSpace){return this.r=t,this.g=e,this.b=n,de.colorSpaceToWorking(this,s),this}setHSL(t,e,n,s=de.workingColorSpace){if(t=P_(t,1),e=xe(e,0,1),n=xe(n,0,1),e===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+e):n+e-n*e,o=2*n-r;this.r=iu(o,r,t+1/3),this.g=iu(o,r,t),this.b=iu(o,r,t-1/3)}return de.colorSpaceToWorking(this,s),this}setStyle(t,e=si){function n(r){r!==void 0&&parseFloat(r)<1&&Yt("Color: Alpha component of "+t+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(t)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,e);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,e);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,e);break;default:Yt("Color: Unknown color model "+t)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(t)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,e);if(o===6)return this.setHex(parseInt(r,16),e);Yt("Color: Invalid hex color "+t)}else if(t&&t.length>0)return this.setColorName(t,e);return this}setColorName(t,e=si){let n=dm[t.toLowerCase()];return n!==void 0?this.setHex(n,e):Yt("Color: Unknown color "+t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(t){return this.r=t.r,this.g=t.g,this.b=t.b,this}copySRGBToLinear(t){return this.r=ps(t.r),this.g=ps(t.g),this.b=ps(t.b),this}copyLinearToSRGB(t){return this.r=Zr(t.r),this.g=Zr(t.g),this.b=Zr(t.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(t=si){return de.workingToColorSpace(Nn.copy(this),t),Math.round(xe(Nn.r*255,0,255))*65536+Math.round(xe(Nn.g*255,0,255))*256+Math.round(xe(Nn.b*255,0,255))}getHexString(t=si){return("000000"+this.getHex(t).toString(16)).slice(-6)}getHSL(t,e=de.workingColorSpace){de.workingToColorSpace(Nn.copy(this),e);let n=Nn.r,s=Nn.g,r=Nn.b,o=Math.max(n,s,r),a=Math.min(n,s,r),l,c,h=(a+o)/2;if(a===o)l=0,c=0;else{let u=o-a;switch(c=h<=.5?u/(o+a):u/(2-o-a),o){case n:l=(s-r)/u+(s<r?6:0);break;case s:l=(r-n)/u+2;break;case r:l=(n-s)/u+4;break}l/=6}return t.h=l,t.s=c,t.l=h,t}getRGB(t,e=de.workingColorSpace){return de.workingToColorSpace(Nn.copy(this),e),t.r=Nn.r,t.g=Nn.g,t.b=Nn.b,t}getStyle(t=si){de.workingToColorSpace(Nn.copy(this),t);let e=Nn.r,n=Nn.g,s=Nn.b;return t!==si?`color(${t} ${e.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(e*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(t,e,n){return this.getHSL(Ds),this.setHSL(Ds.h+t,Ds.s+e,Ds.l+n)}add(t){return this.r+=t.r,this.g+=t.g,this.b+=t.b,this}addColors(t,e){return this.r=t.r+e.r,this.g=t.g+e.g,this.b=t.b+e.b,this}addScalar(t){return this.r+=t,this.g+=t,this.b+=t,this}sub(t){return this.r=Math.max(0,this.r-t.r),this.g=Math.max(0,this.g-t.g),this.b=Math.max(0,this.b-t.b),this}multiply(t){return this.r*=t.r,this.g*=t.g,this.b*=t.b,this}multiplyScalar(t){return this.r*=t,this.g*=t,this.b*=t,this}lerp(t,e){return this.r+=(t.r-this.r)*e,this.g+=(t.g-this.g)*e,this.b+=(t.b-this.b)*e,this}lerpColors(t,e,n){return this.r=t.r+(e.r-t.r)*n,this.g=t.g+(e.g-t.g)*n,this.b=t.b+(e.b-t.b)*n,this}lerpHSL(t,e){this.getHSL(Ds),t.getHSL(cl);let n=Kh(Ds.h,cl.h,e),s=Kh(Ds.s,cl.s,e),r=Kh(Ds.l,cl.l,e);return this.setHSL(n,s,r),this}setFromVector3(t){return this.r=t.x,this.g=t.y,this.b=t.z,this}applyMatrix3(t){let e=this.r,n=this.g,s=this.b,r=t.elements;return this.r=r[0]*e+r[3]*n+r[6]*s,this.g=r[1]*e+r[4]*n+r[7]*s,this.b=r[2]*e+r[5]*n+r[8]*s,this}equals(t){return t.r===this.r&&t.g===this.g&&t.b===this.b}fromArray(t,e=0){return this.r=t[e],this.g=t[e+1],this.b=t[e+2],this}toArray(t=[],e=0){return t[e]=this.r,t[e+1]=this.g,t[e+2]=this.b,t}fromBufferAttribute(t,e){return this.r=t.getX(e),this.g=t.getY(e),this.b=t.getZ(e),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},Nn=new me;me.NAMES=dm;var Jo=class extends oi{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new ks,this.environmentIntensity=1,this.environmentRotation=new ks,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(t,e){return super.copy(t,e),this.background=t.background!==null?t.background.clone():null,this.environment=t.environment!==null?t.environment.clone():null,this.fog=t.fog!==null?t.fog.clone():null,this.backgroundBlurriness=t.backgroundBlurriness,this.backgroundIntensity=t.backgroundIntensity,this.backgroundRotation.copy(t.backgroundRotation),this.environmentIntensity=t.environmentIntensity,this.environmentRotation.copy(t.environmentRotation),this.overrideMaterial=t.overrideMaterial!==null?t.overrideMaterial.clone():null,this.matrixAutoUpdate=t.matrixAutoUpdate,this}toJSON(t){let e=super.toJSON(t);return this.fog!==null&&(e.object.fog=this.fog.toJSON()),e.object.backgroundBlurriness=this.backgroundBlurriness,e.object.backgroundIntensity=this.backgroundIntensity,e.object.backgroundRotation=this.backgroundRotation.toArray(),e.object.environmentIntensity=this.environmentIntensity,e.object.environmentRotation=this.environmentRotation.toArray(),e}},Ri=new $,hs=new $,su=new $,us=new $,kr=new $,zr=new $,pp=new $,ru=new $,ou=new $,au=new $,lu=new De,cu=new De,hu=new De,Bs=class i{constructor(t=new $,e=new $,n=new $){this.a=t,this.b=e,this.c=n}static getNormal(t,e,n,s){s.subVectors(n,e),Ri.subVectors(t,e),s.cross(Ri);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(t,e,n,s,r){Ri.subVectors(s,e),hs.subVectors(n,e),su.subVectors(t,e);let o=Ri.dot(Ri),a=Ri.dot(hs),l=Ri.dot(su),c=hs.dot(hs),h=hs.dot(su),u=o*c-a*a;if(u===0)return r.set(0,0,0),null;let f=1/u,d=(c*l-a*h)*f,g=(o*h-a*l)*f;return r.set(1-d-g,g,d)}static containsPoint(t,e,n,s){return this.getBarycoord(t,e,n,s,us)===null?!1:us.x>=0&&us.y>=0&&us.x+us.y<=1}static getInterpolation(t,e,n,s,r,o,a,l){return this.getBarycoord(t,e,n,s,us)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,us.x),l.addScaledVector(o,us.y),l.addScaledVector(a,us.z),l)}static getInterpolatedAttribute(t,e,n,s,r,o){return lu.setScalar(0),cu.setScalar(0),hu.setScalar(0),lu.fromBufferAttribute(t,e),cu.fromBufferAttribute(t,n),hu.fromBufferAttribute(t,s),o.setScalar(0),o.addScaledVector(lu,r.x),o.addScaledVector(cu,r.y),o.addScaledVector(hu,r.z),o}static isFrontFacing(t,e,n,s){return Ri.subVectors(n,e),hs.subVectors(t,e),Ri.cross(hs).dot(s)<0}set(t,e,n){return this.a.copy(t),this.b.copy(e),this.c.copy(n),this}setFromPointsAndIndices(t,e,n,s){return this.a.copy(t[e]),this.b.copy(t[n]),this.c.copy(t[s]),this}setFromAttributeAndIndices(t,e,n,s){return this.a.fromBufferAttribute(t,e),this.b.fromBufferAttribute(t,n),this.c.fromBufferAttribute(t,s),this}clone(){return new this.constructor().copy(this)}copy(t){return this.a.copy(t.a),this.b.copy(t.b),this.c.copy(t.c),this}getArea(){return Ri.subVectors(this.c,this.b),hs.subVectors(this.a,this.b),Ri.cross(hs).length()*.5}getMidpoint(t){return t.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return i.getNormal(this.a,this.b,this.c,t)}getPlane(t){return t.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,e){return i.getBarycoord(t,this.a,this.b,this.c,e)}getInterpolation(t,e,n,s,r){return i.getInterpolation(t,this.a,this.b,this.c,e,n,s,r)}containsPoint(t){return i.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return i.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(t){return t.intersectsTriangle(this)}closestPointToPoint(t,e){let n=this.a,s=this.b,r=this.c,o,a;kr.subVectors(s,n),zr.subVectors(r,n),ru.subVectors(t,n);let l=kr.dot(ru),c=zr.dot(ru);if(l<=0&&c<=0)return e.copy(n);ou.subVectors(t,s);let h=kr.dot(ou),u=zr.dot(ou);if(h>=0&&u<=h)return e.copy(s);let f=l*u-h*c;if(f<=0&&l>=0&&h<=0&&l-h>0)return o=l/(l-h),e.copy(n).addScaledVector(kr,o);au.subVectors(t,r);let d=kr.dot(au),g=zr.dot(au);if(g>=0&&d<=g)return e.copy(r);let v=d*c-l*g;if(v<=0&&c>=0&&g<=0)return a=c/(c-g),e.copy(n).addScaledVector(zr,a);let m=h*g-d*u;if(m<=0&&u-h>=0&&d-g>=0)return pp.subVectors(r,s),a=(u-h)/(u-h+(d-g)),e.copy(s).addScaledVector(pp,a);let p=1/(m+v+f);return o=v*p,a=f*p,e.copy(n).addScaledVector(kr,o).addScaledVector(zr,a)}equals(t){return t.a.equals(this.a)&&t.b.equals(this.b)&&t.c.equals(this.c)}},Ji=class{constructor(t=new $(1/0,1/0,1/0),e=new $(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=t,this.max=e}set(t,e){return this.min.copy(t),this.max.copy(e),this}setFromArray(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e+=3)this.expandByPoint(Ci.fromArray(t,e));return this}setFromBufferAttribute(t){this.makeEmpty();for(let e=0,n=t.count;e<n;e++)this.expandByPoint(Ci.fromBufferAttribute(t,e));return this}setFromPoints(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e++)this.expandByPoint(t[e]);return this}setFromCenterAndSize(t,e){let n=Ci.copy(e).multiplyScalar(.5);return this.min.copy(t).sub(n),this.max.copy(t).add(n),this}setFromObject(t,e=!1){return this.makeEmpty(),this.expandByObject(t,e)}clone(){return new this.constructor().copy(this)}copy(t){return this.min.copy(t.min),this.max.copy(t.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(t){return this.isEmpty()?t.set(0,0,0):t.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(t){return this.isEmpty()?t.set(0,0,0):t.subVectors(this.max,this.min)}expandByPoint(t){return this.min.min(t),this.max.max(t),this}expandByVector(t){return this.min.sub(t),this.max.add(t),this}expandByScalar(t){return this.min.addScalar(-t),this.max.addScalar(t),this}expandByObject(t,e=!1){t.updateWorldMatrix(!1,!1);let n=t.geometry;if(n!==void 0){let r=n.getAttribute("position");if(e===!0&&r!==void 0&&t.isInstancedMesh!==!0&&t.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)t.isMesh===!0?t.getVertexPosition(o,Ci):Ci.fromBufferAttribute(r,o),Ci.applyMatrix4(t.matrixWorld),this.expandByPoint(Ci);else t.boundingBox!==void 0?(t.boundingBox===null&&t.computeBoundingBox(),hl.copy(t.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),hl.copy(n.boundingBox)),hl.applyMatrix4(t.matrixWorld),this.union(hl)}let s=t.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],e);return this}containsPoint(t){return t.x>=this.min.x&&t.x<=this.max.x&&t.y>=this.min.y&&t.y<=this.max.y&&t.z>=this.min.z&&t.z<=this.max.z}containsBox(t){return this.min.x<=t.min.x&&t.max.x<=this.max.x&&this.min.y<=t.min.y&&t.max.y<=this.max.y&&this.min.z<=t.min.z&&t.max.z<=this.max.z}getParameter(t,e){return e.set((t.x-this.min.x)/(this.max.x-this.min.x),(t.y-this.min.y)/(this.max.y-this.min.y),(t.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(t){return t.max.x>=this.min.x&&t.min.x<=this.max.x&&t.max.y>=this.min.y&&t.min.y<=this.max.y&&t.max.z>=this.min.z&&t.min.z<=this.max.z}intersectsSphere(t){return this.clampPoint(t.center,Ci),Ci.distanceToSquared(t.center)<=t.radius*t.radius}intersectsPlane(t){let e,n;return t.normal.x>0?(e=t.normal.x*this.min.x,n=t.normal.x*this.max.x):(e=t.normal.x*this.max.x,n=t.normal.x*this.min.x),t.normal.y>0?(e+=t.normal.y*this.min.y,n+=t.normal.y*this.max.y):(e+=t.normal.y*this.max.y,n+=t.normal.y*this.min.y),t.normal.z>0?(e+=t.normal.z*this.min.z,n+=t.normal.z*this.max.z):(e+=t.normal.z*this.max.z,n+=t.normal.z*this.min.z),e<=-t.constant&&n>=-t.constant}intersectsTriangle(t){if(this.isEmpty())return!1;this.getCenter(Fo),ul.subVectors(this.max,Fo),Vr.subVectors(t.a,Fo),Gr.subVectors(t.b,Fo),Hr.subVectors(t.c,Fo),Us.subVectors(Gr,Vr),Fs.subVectors(Hr,Gr),er.subVectors(Vr,Hr);let e=[0,-Us.z,Us.y,0,-Fs.z,Fs.y,0,-er.z,er.y,Us.z,0,-Us.x,Fs.z,0,-Fs.x,er.z,0,-er.x,-Us.y,Us.x,0,-Fs.y,Fs.x,0,-er.y,er.x,0];return!uu(e,Vr,Gr,Hr,ul)||(e=[1,0,0,0,1,0,0,0,1],!uu(e,Vr,Gr,Hr,ul))?!1:(fl.crossVectors(Us,Fs),e=[fl.x,fl.y,fl.z],uu(e,Vr,Gr,Hr,ul))}clampPoint(t,e){return e.copy(t).clamp(this.min,this.max)}distanceToPoint(t){return this.clampPoint(t,Ci).distanceTo(t)}getBoundingSphere(t){return this.isEmpty()?t.makeEmpty():(this.getCenter(t.center),t.radius=this.getSize(Ci).length()*.5),t}intersect(t){return this.min.max(t.min),this.max.min(t.max),this.isEmpty()&&this.makeEmpty(),this}union(t){return this.min.min(t.min),this.max.max(t.max),this}applyMatrix4(t){return this.isEmpty()?this:(fs[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(t),fs[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(t),fs[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(t),fs[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(t),fs[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(t),fs[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(t),fs[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(t),fs[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(t),this.setFromPoints(fs),this)}translate(t){return this.min.add(t),this.max.add(t),this}equals(t){return t.min.equals(this.min)&&t.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(t){return this.min.fromArray(t.min),this.max.fromArray(t.max),this}},fs=[new $,new $,new $,new $,new $,new $,new $,new $],Ci=new $,hl=new Ji,Vr=new $,Gr=new $,Hr=new $,Us=new $,Fs=new $,er=new $,Fo=new $,ul=new $,fl=new $,nr=new $;function uu(i,t,e,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){nr.fromArray(i,r);let a=s.x*Math.abs(nr.x)+s.y*Math.abs(nr.y)+s.z*Math.abs(nr.z),l=t.dot(nr),c=e.dot(nr),h=n.dot(nr);if(Math.max(-Math.max(l,c,h),Math.min(l,c,h))>a)return!1}return!0}var ln=new $,dl=new pe,V_=0,pn=class extends $i{constructor(t,e,n=!1){if(super(),Array.isArray(t))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:V_++}),this.name="",this.array=t,this.itemSize=e,this.count=t!==void 0?t.length/e:0,this.normalized=n,this.usage=Yu,this.updateRanges=[],this.gpuType=xi,this.version=0,this._normalizationScale=t!==void 0?Qc(t):void 0}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.name=t.name,this.array=new t.array.constructor(t.array),this.itemSize=t.itemSize,this.count=t.count,this.normalized=t.normalized,this.usage=t.usage,this.gpuType=t.gpuType,this._normalizationScale=t._normalizationScale,this}copyAt(t,e,n){t*=this.itemSize,n*=e.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[t+s]=e.array[n+s];return this}copyArray(t){return this.array.set(t),this}applyMatrix3(t){if(this.itemSize===2)for(let e=0,n=this.count;e<n;e++)dl.fromBufferAttribute(this,e),dl.applyMatrix3(t),this.setXY(e,dl.x,dl.y);else if(this.itemSize===3)for(let e=0,n=this.count;e<n;e++)ln.fromBufferAttribute(this,e),ln.applyMatrix3(t),this.setXYZ(e,ln.x,ln.y,ln.z);return this}applyMatrix4(t){for(let e=0,n=this.count;e<n;e++)ln.fromBufferAttribute(this,e),ln.applyMatrix4(t),this.setXYZ(e,ln.x,ln.y,ln.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)ln.fromBufferAttribute(this,e),ln.applyNormalMatrix(t),this.setXYZ(e,ln.x,ln.y,ln.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)ln.fromBufferAttribute(this,e),ln.transformDirection(t),this.setXYZ(e,ln.x,ln.y,ln.z);return this}set(t,e=0){return this.array.set(t,e),this}getComponent(t,e){let n=this.array[t*this.itemSize+e];return this.normalized&&(n=this._denormalize(n)),n}setComponent(t,e,n){return this.normalized&&(n=this._normalize(n)),this.array[t*this.itemSize+e]=n,this}getX(t){let e=this.array[t*this.itemSize];return this.normalized&&(e=this._denormalize(e)),e}setX(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize]=e,this}getY(t){let e=this.array[t*this.itemSize+1];return this.normalized&&(e=this._denormalize(e)),e}setY(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+1]=e,this}getZ(t){let e=this.array[t*this.itemSize+2];return this.normalized&&(e=this._denormalize(e)),e}setZ(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+2]=e,this}getW(t){let e=this.array[t*this.itemSize+3];return this.normalized&&(e=this._denormalize(e)),e}setW(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+3]=e,this}setXY(t,e,n){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n)),this.array[t+0]=e,this.array[t+1]=n,this}setXYZ(t,e,n,s){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this.array[t+3]=r,this}onUpload(t){return this.onUploadCallback=t,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let t={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return t.name=this.name,t.usage=this.usage,t.gpuType=this.gpuType,t}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(t){let e=this._normalizationScale;return e!==void 0?Math.max(t/e,-1):um(t,this.array)}_normalize(t){let e=this._normalizationScale;return e!==void 0?Math.round(t*e):fm(t,this.array)}};var Ko=class extends pn{constructor(t,e,n){super(new Uint16Array(t),e,n)}};var jo=class extends pn{constructor(t,e,n){super(new Uint32Array(t),e,n)}};var cn=class extends pn{constructor(t,e,n){super(new Float32Array(t),e,n)}},G_=new Ji,Oo=new $,fu=new $,xs=class{constructor(t=new $,e=-1){this.isSphere=!0,this.center=t,this.radius=e}set(t,e){return this.center.copy(t),this.radius=e,this}setFromPoints(t,e){let n=this.center;e!==void 0?n.copy(e):G_.setFromPoints(t).getCenter(n);let s=0;for(let r=0,o=t.length;r<o;r++)s=Math.max(s,n.distanceToSquared(t[r]));return this.radius=Math.sqrt(s),this}copy(t){return this.center.copy(t.center),this.radius=t.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(t){return t.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(t){return t.distanceTo(this.center)-this.radius}intersectsSphere(t){let e=this.radius+t.radius;return t.center.distanceToSquared(this.center)<=e*e}intersectsBox(t){return t.intersectsSphere(this)}intersectsPlane(t){return Math.abs(t.distanceToPoint(this.center))<=this.radius}clampPoint(t,e){let n=this.center.distanceToSquared(t);return e.copy(t),n>this.radius*this.radius&&(e.sub(this.center).normalize(),e.multiplyScalar(this.radius).add(this.center)),e}getBoundingBox(t){return this.isEmpty()?(t.makeEmpty(),t):(t.set(this.center,this.center),t.expandByScalar(this.radius),t)}applyMatrix4(t){return this.center.applyMatrix4(t),this.radius=this.radius*t.getMaxScaleOnAxis(),this}translate(t){return this.center.add(t),this}expandByPoint(t){if(this.isEmpty())return this.center.copy(t),this.radius=0,this;Oo.subVectors(t,this.center);let e=Oo.lengthSq();if(e>this.radius*this.radius){let n=Math.sqrt(e),s=(n-this.radius)*.5;this.center.addScaledVector(Oo,s/n),this.radius+=s}return this}union(t){return t.isEmpty()?this:this.isEmpty()?(this.copy(t),this):(this.center.equals(t.center)===!0?this.radius=Math.max(this.radius,t.radius):(fu.subVectors(t.center,this.center).setLength(t.radius),this.expandByPoint(Oo.copy(t.center).add(fu)),this.expandByPoint(Oo.copy(t.center).sub(fu))),this)}equals(t){return t.center.equals(this.center)&&t.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(t){return this.radius=t.radius,this.center.fromArray(t.center),this}},H_=0,mi=new Ie,du=new oi,Wr=new $,ii=new Ji,Bo=new Ji,wn=new $,Rn=class i extends $i{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:H_++}),this.uuid=hr(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(t){return Array.isArray(t)?this.index=new(R_(t)?jo:Ko)(t,1):this.index=t,this}setIndirect(t,e=0){return this.indirect=t,this.indirectOffset=e,this}getIndirect(){return this.indirect}getAttribute(t){return this.attributes[t]}setAttribute(t,e){return this.attributes[t]=e,this}deleteAttribute(t){return delete this.attributes[t],this}hasAttribute(t){return this.attributes[t]!==void 0}addGroup(t,e,n=0){this.groups.push({start:t,count:e,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(t,e){this.drawRange.start=t,this.drawRange.count=e}applyMatrix4(t){let e=this.attributes.position;e!==void 0&&(e.applyMatrix4(t),e.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let r=new Qt().getNormalMatrix(t);n.applyNormalMatrix(r),n.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(t),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(t){return mi.makeRotationFromQuaternion(t),this.applyMatrix4(mi),this}rotateX(t){return mi.makeRotationX(t),this.applyMatrix4(mi),this}rotateY(t){return mi.makeRotationY(t),this.applyMatrix4(mi),this}rotateZ(t){return mi.makeRotationZ(t),this.applyMatrix4(mi),this}translate(t,e,n){return mi.makeTranslation(t,e,n),this.applyMatrix4(mi),this}scale(t,e,n){return mi.makeScale(t,e,n),this.applyMatrix4(mi),this}lookAt(t){return du.lookAt(t),du.updateMatrix(),this.applyMatrix4(du.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(Wr).negate(),this.translate(Wr.x,Wr.y,Wr.z),this}setFromPoints(t){let e=this.getAttribute("position");if(e===void 0){let n=[];for(let s=0,r=t.length;s<r;s++){let o=t[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new cn(n,3))}else{let n=Math.min(t.length,e.count);for(let s=0;s<n;s++){let r=t[s];e.setXYZ(s,r.x,r.y,r.z||0)}t.length>e.count&&Yt("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),e.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new Ji);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){jt("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new $(-1/0,-1/0,-1/0),new $(1/0,1/0,1/0));return}if(t!==void 0){if(this.boundingBox.setFromBufferAttribute(t),e)for(let n=0,s=e.length;n<s;n++){let r=e[n];ii.setFromBufferAttribute(r),this.morphTargetsRelative?(wn.addVectors(this.boundingBox.min,ii.min),this.boundingBox.expandByPoint(wn),wn.addVectors(this.boundingBox.max,ii.max),this.boundingBox.expandByPoint(wn)):(this.boundingBox.expandByPoint(ii.min),this.boundingBox.expandByPoint(ii.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&jt('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new xs);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){jt("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new $,1/0);return}if(t){let n=this.boundingSphere.center;if(ii.setFromBufferAttribute(t),e)for(let r=0,o=e.length;r<o;r++){let a=e[r];Bo.setFromBufferAttribute(a),this.morphTargetsRelative?(wn.addVectors(ii.min,Bo.min),ii.expandByPoint(wn),wn.addVectors(ii.max,Bo.max),ii.expandByPoint(wn)):(ii.expandByPoint(Bo.min),ii.expandByPoint(Bo.max))}ii.getCenter(n);let s=0;for(let r=0,o=t.count;r<o;r++)wn.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(wn));if(e)for(let r=0,o=e.length;r<o;r++){let a=e[r],l=this.morphTargetsRelative;for(let c=0,h=a.count;c<h;c++)wn.fromBufferAttribute(a,c),l&&(Wr.fromBufferAttribute(t,c),wn.add(Wr)),s=Math.max(s,n.distanceToSquared(wn))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&jt('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let t=this.index,e=this.attributes;if(t===null||e.position===void 0||e.normal===void 0||e.uv===void 0){jt("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let n=e.position,s=e.normal,r=e.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==n.count)&&(o=new pn(new Float32Array(4*n.count),4),this.setAttribute("tangent",o));let a=[],l=[],c=new Uint8Array(n.count);for(let z=0;z<n.count;z++)a[z]=new $,l[z]=new $;let h=new $,u=new $,f=new $,d=new pe,g=new pe,v=new pe,m=new $,p=new $;function S(z,U,L){c[z]=c[U]=c[L]=1,h.fromBufferAttribute(n,z),u.fromBufferAttribute(n,U),f.fromBufferAttribute(n,L),d.fromBufferAttribute(r,z),g.fromBufferAttribute(r,U),v.fromBufferAttribute(r,L),u.sub(h),f.sub(h),g.sub(d),v.sub(d);let H=1/(g.x*v.y-v.x*g.y);isFinite(H)&&(m.copy(u).multiplyScalar(v.y).addScaledVector(f,-g.y).multiplyScalar(H),p.copy(f).multiplyScalar(g.x).addScaledVector(u,-v.x).multiplyScalar(H),a[z].add(m),a[U].add(m),a[L].add(m),l[z].add(p),l[U].add(p),l[L].add(p))}let y=this.groups;y.length===0&&(y=[{start:0,count:t.count}]);for(let z=0,U=y.length;z<U;++z){let L=y[z],H=L.start,W=L.count;for(let N=H,G=H+W;N<G;N+=3)S(t.getX(N+0),t.getX(N+1),t.getX(N+2))}let M=new $,R=new $,A=new $,x=new $;function E(z){A.fromBufferAttribute(s,z),x.copy(A);let U=a[z];M.copy(U),M.sub(A.multiplyScalar(A.dot(U))).normalize(),R.crossVectors(x,U);let H=R.dot(l[z])<0?-1:1;o.setXYZW(z,M.x,M.y,M.z,H)}for(let z=0,U=n.count;z<U;++z)c[z]&&E(z);this._transformed=!0}computeVertexNormals(){let t=this.index,e=this.getAttribute("position");if(e!==void 0){let n=this.getAttribute("normal");if(n===void 0||n.count!==e.count)n=new pn(new Float32Array(e.count*3),3),this.setAttribute("normal",n);else for(let f=0,d=n.count;f<d;f++)n.setXYZ(f,0,0,0);let s=new $,r=new $,o=new $,a=new $,l=new $,c=new $,h=new $,u=new $;if(t)for(let f=0,d=t.count;f<d;f+=3){let g=t.getX(f+0),v=t.getX(f+1),m=t.getX(f+2);s.fromBufferAttribute(e,g),r.fromBufferAttribute(e,v),o.fromBufferAttribute(e,m),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),a.fromBufferAttribute(n,g),l.fromBufferAttribute(n,v),c.fromBufferAttribute(n,m),a.add(h),l.add(h),c.add(h),n.setXYZ(g,a.x,a.y,a.z),n.setXYZ(v,l.x,l.y,l.z),n.setXYZ(m,c.x,c.y,c.z)}else for(let f=0,d=e.count;f<d;f+=3)s.fromBufferAttribute(e,f+0),r.fromBufferAttribute(e,f+1),o.fromBufferAttribute(e,f+2),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),n.setXYZ(f+0,h.x,h.y,h.z),n.setXYZ(f+1,h.x,h.y,h.z),n.setXYZ(f+2,h.x,h.y,h.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let t=this.attributes.normal;for(let e=0,n=t.count;e<n;e++)wn.fromBufferAttribute(t,e),wn.normalize(),t.setXYZ(e,wn.x,wn.y,wn.z)}toNonIndexed(){function t(a,l){let c=a.array,h=a.itemSize,u=a.normalized,f=new c.constructor(l.length*h),d=0,g=0;for(let v=0,m=l.length;v<m;v++){a.isInterleavedBufferAttribute?d=l[v]*a.data.stride+a.offset:d=l[v]*h;for(let p=0;p<h;p++)f[g++]=c[d++]}return new pn(f,h,u)}if(this.index===null)return Yt("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let e=new i,n=this.index.array,s=this.attributes;for(let a in s){let l=s[a],c=t(l,n);e.setAttribute(a,c)}let r=this.morphAttributes;for(let a in r){let l=[],c=r[a];for(let h=0,u=c.length;h<u;h++){let f=c[h],d=t(f,n);l.push(d)}e.morphAttributes[a]=l}e.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,l=o.length;a<l;a++){let c=o[a];e.addGroup(c.start,c.count,c.materialIndex)}return e}toJSON(){let t={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(t.uuid=this.uuid,t.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,t.name=this.name,Object.keys(this.userData).length>0&&(t.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let l=this.parameters;for(let c in l)l[c]!==void 0&&(t[c]=l[c]);return t}t.data={attributes:{}};let e=this.index;e!==null&&(t.data.index={type:e.array.constructor.name,array:Array.prototype.slice.call(e.array)});let n=this.attributes;for(let l in n){let c=n[l];t.data.attributes[l]=c.toJSON(t.data)}let s={},r=!1;for(let l in this.morphAttributes){let c=this.morphAttributes[l],h=[];for(let u=0,f=c.length;u<f;u++){let d=c[u];h.push(d.toJSON(t.data))}h.length>0&&(s[l]=h,r=!0)}r&&(t.data.morphAttributes=s,t.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(t.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(t.data.boundingSphere=a.toJSON()),t}clone(){return new this.constructor().copy(this)}copy(t){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let e={};this.name=t.name;let n=t.index;n!==null&&this.setIndex(n.clone());let s=t.attributes;for(let c in s){let h=s[c];this.setAttribute(c,h.clone(e))}let r=t.morphAttributes;for(let c in r){let h=[],u=r[c];for(let f=0,d=u.length;f<d;f++)h.push(u[f].clone(e));this.morphAttributes[c]=h}this.morphTargetsRelative=t.morphTargetsRelative;let o=t.groups;for(let c=0,h=o.length;c<h;c++){let u=o[c];this.addGroup(u.start,u.count,u.materialIndex)}let a=t.boundingBox;a!==null&&(this.boundingBox=a.clone());let l=t.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=t.drawRange.start,this.drawRange.count=t.drawRange.count,this.userData=t.userData,this._transformed=t._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}},Xl=class{constructor(t,e){this.isInterleavedBuffer=!0,this.array=t,this.stride=e,this.count=t!==void 0?t.length/e:0,this.usage=Yu,this.updateRanges=[],this.version=0,this.uuid=hr()}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.array=new t.array.constructor(t.array),this.count=t.count,this.stride=t.stride,this.usage=t.usage,this}copyAt(t,e,n){t*=this.stride,n*=e.stride;for(let s=0,r=this.stride;s<r;s++)this.array[t+s]=e.array[n+s];return this}set(t,e=0){return this.array.set(t,e),this}clone(t){t.arrayBuffers===void 0&&(t.arrayBuffers={});let e=mp(this.array);t.arrayBuffers[e]===void 0&&(t.arrayBuffers[e]=this.array.slice(0).buffer);let n=new this.array.constructor(t.arrayBuffers[e]),s=new this.constructor(n,this.stride);return s.setUsage(this.usage),s}onUpload(t){return this.onUploadCallback=t,this}toJSON(t){t.arrayBuffers===void 0&&(t.arrayBuffers={});let e=mp(this.array);t.arrayBuffers[e]===void 0&&(t.arrayBuffers[e]=Array.from(new Uint32Array(this.array.slice(0).buffer)));let n={uuid:this.uuid,buffer:e,type:this.array.constructor.name,stride:this.stride};return n.usage=this.usage,n}};function mp(i){return i.buffer._uuid===void 0&&(i.buffer._uuid=hr()),i.byteOffset===0&&i.byteLength===i.buffer.byteLength?i.buffer._uuid:i.buffer._uuid+":"+i.byteOffset+":"+i.byteLength}var Wn=new $,eo=class i{constructor(t,e,n,s=!1){this.isInterleavedBufferAttribute=!0,this.name="",this.data=t,this.itemSize=e,this.offset=n,this.normalized=s,this._normalizationScale=t!==void 0?Qc(t.array):void 0}get count(){return this.data.count}get array(){return this.data.array}set needsUpdate(t){this.data.needsUpdate=t}applyMatrix4(t){for(let e=0,n=this.data.count;e<n;e++)Wn.fromBufferAttribute(this,e),Wn.applyMatrix4(t),this.setXYZ(e,Wn.x,Wn.y,Wn.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)Wn.fromBufferAttribute(this,e),Wn.applyNormalMatrix(t),this.setXYZ(e,Wn.x,Wn.y,Wn.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)Wn.fromBufferAttribute(this,e),Wn.transformDirection(t),this.setXYZ(e,Wn.x,Wn.y,Wn.z);return this}getComponent(t,e){let n=this.array[t*this.data.stride+this.offset+e];return this.normalized&&(n=this._denormalize(n)),n}setComponent(t,e,n){return this.normalized&&(n=this._normalize(n)),this.data.array[t*this.data.stride+this.offset+e]=n,this}setX(t,e){return this.normalized&&(e=this._normalize(e)),this.data.array[t*this.data.stride+this.offset]=e,this}setY(t,e){return this.normalized&&(e=this._normalize(e)),this.data.array[t*this.data.stride+this.offset+1]=e,this}setZ(t,e){return this.normalized&&(e=this._normalize(e)),this.data.array[t*this.data.stride+this.offset+2]=e,this}setW(t,e){return this.normalized&&(e=this._normalize(e)),this.data.array[t*this.data.stride+this.offset+3]=e,this}getX(t){let e=this.data.array[t*this.data.stride+this.offset];return this.normalized&&(e=this._denormalize(e)),e}getY(t){let e=this.data.array[t*this.data.stride+this.offset+1];return this.normalized&&(e=this._denormalize(e)),e}getZ(t){let e=this.data.array[t*this.data.stride+this.offset+2];return this.normalized&&(e=this._denormalize(e)),e}getW(t){let e=this.data.array[t*this.data.stride+this.offset+3];return this.normalized&&(e=this._denormalize(e)),e}setXY(t,e,n){return t=t*this.data.stride+this.offset,this.normalized&&(e=this._normalize(e),n=this._normalize(n)),this.data.array[t+0]=e,this.data.array[t+1]=n,this}setXYZ(t,e,n,s){return t=t*this.data.stride+this.offset,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s)),this.data.array[t+0]=e,this.data.array[t+1]=n,this.data.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t=t*this.data.stride+this.offset,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.data.array[t+0]=e,this.data.array[t+1]=n,this.data.array[t+2]=s,this.data.array[t+3]=r,this}clone(t){if(t===void 0){Yo("InterleavedBufferAttribute.clone(): Cloning an interleaved buffer attribute will de-interleave buffer data.");let e=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)e.push(this.data.array[s+r])}return new pn(new this.array.constructor(e),this.itemSize,this.normalized)}else return t.interleavedBuffers===void 0&&(t.interleavedBuffers={}),t.interleavedBuffers[this.data.uuid]===void 0&&(t.interleavedBuffers[this.data.uuid]=this.data.clone(t)),new i(t.interleavedBuffers[this.data.uuid],this.itemSize,this.offset,this.normalized)}toJSON(t){if(t===void 0){Yo("InterleavedBufferAttribute.toJSON(): Serializing an interleaved buffer attribute will de-interleave buffer data.");let e=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)e.push(this.data.array[s+r])}return{itemSize:this.itemSize,type:this.array.constructor.name,array:e,normalized:this.normalized}}else return t.interleavedBuffers===void 0&&(t.interleavedBuffers={}),t.interleavedBuffers[this.data.uuid]===void 0&&(t.interleavedBuffers[this.data.uuid]=this.data.toJSON(t)),{isInterleavedBufferAttribute:!0,itemSize:this.itemSize,data:this.data.uuid,offset:this.offset,normalized:this.normalized}}_denormalize(t){let e=this._normalizationScale;return e!==void 0?Math.max(t/e,-1):um(t,this.data.array)}_normalize(t){let e=this._normalizationScale;return e!==void 0?Math.round(t*e):fm(t,this.data.array)}},pu=new $,W_=new $,X_=new Qt,Pi=class{constructor(t=new $(1,0,0),e=0){this.isPlane=!0,this.normal=t,this.constant=e}set(t,e){return this.normal.copy(t),this.constant=e,this}setComponents(t,e,n,s){return this.normal.set(t,e,n),this.constant=s,this}setFromNormalAndCoplanarPoint(t,e){return this.normal.copy(t),this.constant=-e.dot(this.normal),this}setFromCoplanarPoints(t,e,n){let s=pu.subVectors(n,e).cross(W_.subVectors(t,e)).normalize();return this.setFromNormalAndCoplanarPoint(s,t),this}copy(t){return this.normal.copy(t.normal),this.constant=t.constant,this}normalize(){let t=1/this.normal.length();return this.normal.multiplyScalar(t),this.constant*=t,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(t){return this.normal.dot(t)+this.constant}distanceToSphere(t){return this.distanceToPoint(t.center)-t.radius}projectPoint(t,e){return e.copy(t).addScaledVector(this.normal,-this.distanceToPoint(t))}intersectLine(t,e,n=!0){let s=t.delta(pu),r=this.normal.dot(s);if(r===0)return this.distanceToPoint(t.start)===0?e.copy(t.start):null;let o=-(t.start.dot(this.normal)+this.constant)/r;return n===!0&&(o<0||o>1)?null:e.copy(t.start).addScaledVector(s,o)}intersectsLine(t){let e=this.distanceToPoint(t.start),n=this.distanceToPoint(t.end);return e<0&&n>0||n<0&&e>0}intersectsBox(t){return t.intersectsPlane(this)}intersectsSphere(t){return t.intersectsPlane(this)}coplanarPoint(t){return t.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(t,e){let n=e||X_.getNormalMatrix(t),s=this.coplanarPoint(pu).applyMatrix4(t),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(t){return this.constant-=t.dot(this.normal),this}equals(t){return t.normal.equals(this.normal)&&t.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(t){return this.normal.fromArray(t.normal),this.constant=t.constant,this}},q_=0,zs=class extends $i{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:q_++}),this.uuid=hr(),this.name="",this.type="Material",this.blending=ao,this.side=Ki,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=ga,this.blendDst=xa,this.blendEquation=vs,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new me(0,0,0),this.blendAlpha=0,this.depthFunc=Jr,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=tm,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=Il,this.stencilZFail=Il,this.stencilZPass=Il,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(t){this._alphaTest>0!=t>0&&this.version++,this._alphaTest=t}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(t){if(t!==void 0)for(let e in t){let n=t[e];if(n===void 0){Yt(`Material: parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){Yt(`Material: '${e}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector2&&n&&n.isVector2||s&&s.isEuler&&n&&n.isEuler||s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";e&&(t={textures:{},images:{}});let n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(t).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(t).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(t).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(t).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(t).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(t).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(t).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(t).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(t).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(t).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(t).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(t).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(t).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(t).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(t).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(t).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(t).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(t).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(t).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(t).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(t).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(t).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(t).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(t).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(t).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(t).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(t).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){let o=[];for(let a in r){let l=r[a];delete l.metadata,o.push(l)}return o}if(e){let r=s(t.textures),o=s(t.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}fromJSON(t,e){if(t.uuid!==void 0&&(this.uuid=t.uuid),t.name!==void 0&&(this.name=t.name),t.color!==void 0&&this.color!==void 0&&this.color.setHex(t.color),t.roughness!==void 0&&(this.roughness=t.roughness),t.metalness!==void 0&&(this.metalness=t.metalness),t.sheen!==void 0&&(this.sheen=t.sheen),t.sheenColor!==void 0&&(this.sheenColor=new me().setHex(t.sheenColor)),t.sheenRoughness!==void 0&&(this.sheenRoughness=t.sheenRoughness),t.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(t.emissive),t.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(t.specular),t.specularIntensity!==void 0&&(this.specularIntensity=t.specularIntensity),t.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(t.specularColor),t.shininess!==void 0&&(this.shininess=t.shininess),t.clearcoat!==void 0&&(this.clearcoat=t.clearcoat),t.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=t.clearcoatRoughness),t.diffuseRoughness!==void 0&&(this.diffuseRoughness=t.diffuseRoughness),t.dispersion!==void 0&&(this.dispersion=t.dispersion),t.retroreflectivity!==void 0&&(this.retroreflectivity=t.retroreflectivity),t.iridescence!==void 0&&(this.iridescence=t.iridescence),t.iridescenceIOR!==void 0&&(this.iridescenceIOR=t.iridescenceIOR),t.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessMinimum),t.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=t.iridescenceThicknessMaximum),t.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=t.iridescenceThicknessRange[1]),t.transmission!==void 0&&(this.transmission=t.transmission),t.thickness!==void 0&&(this.thickness=t.thickness),t.attenuationDistance!==void 0&&(this.attenuationDistance=t.attenuationDistance),t.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(t.attenuationColor),t.anisotropy!==void 0&&(this.anisotropy=t.anisotropy),t.anisotropyRotation!==void 0&&(this.anisotropyRotation=t.anisotropyRotation),t.fog!==void 0&&(this.fog=t.fog),t.flatShading!==void 0&&(this.flatShading=t.flatShading),t.blending!==void 0&&(this.blending=t.blending),t.combine!==void 0&&(this.combine=t.combine),t.side!==void 0&&(this.side=t.side),t.shadowSide!==void 0&&(this.shadowSide=t.shadowSide),t.opacity!==void 0&&(this.opacity=t.opacity),t.transparent!==void 0&&(this.transparent=t.transparent),t.alphaTest!==void 0&&(this.alphaTest=t.alphaTest),t.alphaHash!==void 0&&(this.alphaHash=t.alphaHash),t.depthFunc!==void 0&&(this.depthFunc=t.depthFunc),t.depthTest!==void 0&&(this.depthTest=t.depthTest),t.depthWrite!==void 0&&(this.depthWrite=t.depthWrite),t.colorWrite!==void 0&&(this.colorWrite=t.colorWrite),t.clippingPlanes!==void 0&&(this.clippingPlanes=t.clippingPlanes.map(n=>new Pi().fromJSON(n))),t.clipIntersection!==void 0&&(this.clipIntersection=t.clipIntersection),t.clipShadows!==void 0&&(this.clipShadows=t.clipShadows),t.depthPacking!==void 0&&(this.depthPacking=t.depthPacking),t.blendSrc!==void 0&&(this.blendSrc=t.blendSrc),t.blendDst!==void 0&&(this.blendDst=t.blendDst),t.blendEquation!==void 0&&(this.blendEquation=t.blendEquation),t.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=t.blendSrcAlpha),t.blendDstAlpha!==void 0&&(this.blendDstAlpha=t.blendDstAlpha),t.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=t.blendEquationAlpha),t.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(t.blendColor),t.blendAlpha!==void 0&&(this.blendAlpha=t.blendAlpha),t.stencilWriteMask!==void 0&&(this.stencilWriteMask=t.stencilWriteMask),t.stencilFunc!==void 0&&(this.stencilFunc=t.stencilFunc),t.stencilRef!==void 0&&(this.stencilRef=t.stencilRef),t.stencilFuncMask!==void 0&&(this.stencilFuncMask=t.stencilFuncMask),t.stencilFail!==void 0&&(this.stencilFail=t.stencilFail),t.stencilZFail!==void 0&&(this.stencilZFail=t.stencilZFail),t.stencilZPass!==void 0&&(this.stencilZPass=t.stencilZPass),t.stencilWrite!==void 0&&(this.stencilWrite=t.stencilWrite),t.wireframe!==void 0&&(this.wireframe=t.wireframe),t.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=t.wireframeLinewidth),t.wireframeLinecap!==void 0&&(this.wireframeLinecap=t.wireframeLinecap),t.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=t.wireframeLinejoin),t.rotation!==void 0&&(this.rotation=t.rotation),t.linewidth!==void 0&&(this.linewidth=t.linewidth),t.linecap!==void 0&&(this.linecap=t.linecap),t.linejoin!==void 0&&(this.linejoin=t.linejoin),t.dashSize!==void 0&&(this.dashSize=t.dashSize),t.gapSize!==void 0&&(this.gapSize=t.gapSize),t.scale!==void 0&&(this.scale=t.scale),t.polygonOffset!==void 0&&(this.polygonOffset=t.polygonOffset),t.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=t.polygonOffsetFactor),t.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=t.polygonOffsetUnits),t.dithering!==void 0&&(this.dithering=t.dithering),t.alphaToCoverage!==void 0&&(this.alphaToCoverage=t.alphaToCoverage),t.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=t.premultipliedAlpha),t.forceSinglePass!==void 0&&(this.forceSinglePass=t.forceSinglePass),t.allowOverride!==void 0&&(this.allowOverride=t.allowOverride),t.visible!==void 0&&(this.visible=t.visible),t.toneMapped!==void 0&&(this.toneMapped=t.toneMapped),t.userData!==void 0&&(this.userData=t.userData),t.vertexColors!==void 0&&(typeof t.vertexColors=="number"?this.vertexColors=t.vertexColors>0:this.vertexColors=t.vertexColors),t.size!==void 0&&(this.size=t.size),t.sizeAttenuation!==void 0&&(this.sizeAttenuation=t.sizeAttenuation),t.map!==void 0&&(this.map=e[t.map]||null),t.matcap!==void 0&&(this.matcap=e[t.matcap]||null),t.alphaMap!==void 0&&(this.alphaMap=e[t.alphaMap]||null),t.bumpMap!==void 0&&(this.bumpMap=e[t.bumpMap]||null),t.bumpScale!==void 0&&(this.bumpScale=t.bumpScale),t.normalMap!==void 0&&(this.normalMap=e[t.normalMap]||null),t.normalMapType!==void 0&&(this.normalMapType=t.normalMapType),t.normalScale!==void 0){let n=t.normalScale;Array.isArray(n)===!1&&(n=[n,n]),this.normalScale=new pe().fromArray(n)}return t.displacementMap!==void 0&&(this.displacementMap=e[t.displacementMap]||null),t.displacementScale!==void 0&&(this.displacementScale=t.displacementScale),t.displacementBias!==void 0&&(this.displacementBias=t.displacementBias),t.roughnessMap!==void 0&&(this.roughnessMap=e[t.roughnessMap]||null),t.metalnessMap!==void 0&&(this.metalnessMap=e[t.metalnessMap]||null),t.emissiveMap!==void 0&&(this.emissiveMap=e[t.emissiveMap]||null),t.emissiveIntensity!==void 0&&(this.emissiveIntensity=t.emissiveIntensity),t.specularMap!==void 0&&(this.specularMap=e[t.specularMap]||null),t.specularIntensityMap!==void 0&&(this.specularIntensityMap=e[t.specularIntensityMap]||null),t.specularColorMap!==void 0&&(this.specularColorMap=e[t.specularColorMap]||null),t.envMap!==void 0&&(this.envMap=e[t.envMap]||null),t.envMapRotation!==void 0&&this.envMapRotation.fromArray(t.envMapRotation),t.envMapIntensity!==void 0&&(this.envMapIntensity=t.envMapIntensity),t.reflectivity!==void 0&&(this.reflectivity=t.reflectivity),t.refractionRatio!==void 0&&(this.refractionRatio=t.refractionRatio),t.lightMap!==void 0&&(this.lightMap=e[t.lightMap]||null),t.lightMapIntensity!==void 0&&(this.lightMapIntensity=t.lightMapIntensity),t.aoMap!==void 0&&(this.aoMap=e[t.aoMap]||null),t.aoMapIntensity!==void 0&&(this.aoMapIntensity=t.aoMapIntensity),t.gradientMap!==void 0&&(this.gradientMap=e[t.gradientMap]||null),t.clearcoatMap!==void 0&&(this.clearcoatMap=e[t.clearcoatMap]||null),t.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=e[t.clearcoatRoughnessMap]||null),t.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=e[t.clearcoatNormalMap]||null),t.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new pe().fromArray(t.clearcoatNormalScale)),t.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=e[t.diffuseRoughnessMap]||null),t.iridescenceMap!==void 0&&(this.iridescenceMap=e[t.iridescenceMap]||null),t.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=e[t.iridescenceThicknessMap]||null),t.transmissionMap!==void 0&&(this.transmissionMap=e[t.transmissionMap]||null),t.thicknessMap!==void 0&&(this.thicknessMap=e[t.thicknessMap]||null),t.anisotropyMap!==void 0&&(this.anisotropyMap=e[t.anisotropyMap]||null),t.sheenColorMap!==void 0&&(this.sheenColorMap=e[t.sheenColorMap]||null),t.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=e[t.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(t){this.name=t.name,this.blending=t.blending,this.side=t.side,this.vertexColors=t.vertexColors,this.opacity=t.opacity,this.transparent=t.transparent,this.blendSrc=t.blendSrc,this.blendDst=t.blendDst,this.blendEquation=t.blendEquation,this.blendSrcAlpha=t.blendSrcAlpha,this.blendDstAlpha=t.blendDstAlpha,this.blendEquationAlpha=t.blendEquationAlpha,this.blendColor.copy(t.blendColor),this.blendAlpha=t.blendAlpha,this.depthFunc=t.depthFunc,this.depthTest=t.depthTest,this.depthWrite=t.depthWrite,this.stencilWriteMask=t.stencilWriteMask,this.stencilFunc=t.stencilFunc,this.stencilRef=t.stencilRef,this.stencilFuncMask=t.stencilFuncMask,this.stencilFail=t.stencilFail,this.stencilZFail=t.stencilZFail,this.stencilZPass=t.stencilZPass,this.stencilWrite=t.stencilWrite;let e=t.clippingPlanes,n=null;if(e!==null){let s=e.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=e[r].clone()}return this.clippingPlanes=n,this.clipIntersection=t.clipIntersection,this.clipShadows=t.clipShadows,this.shadowSide=t.shadowSide,this.colorWrite=t.colorWrite,this.precision=t.precision,this.polygonOffset=t.polygonOffset,this.polygonOffsetFactor=t.polygonOffsetFactor,this.polygonOffsetUnits=t.polygonOffsetUnits,this.dithering=t.dithering,this.alphaTest=t.alphaTest,this.alphaHash=t.alphaHash,this.alphaToCoverage=t.alphaToCoverage,this.premultipliedAlpha=t.premultipliedAlpha,this.forceSinglePass=t.forceSinglePass,this.allowOverride=t.allowOverride,this.visible=t.visible,this.toneMapped=t.toneMapped,this.userData=JSON.parse(JSON.stringify(t.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(t){t===!0&&this.version++}};var ds=new $,mu=new $,pl=new $,ml=new $,Qo=class{constructor(t=new $,e=new $(0,0,-1)){this.origin=t,this.direction=e}set(t,e){return this.origin.copy(t),this.direction.copy(e),this}copy(t){return this.origin.copy(t.origin),this.direction.copy(t.direction),this}at(t,e){return e.copy(this.origin).addScaledVector(this.direction,t)}lookAt(t){return this.direction.copy(t).sub(this.origin).normalize(),this}recast(t){return this.origin.copy(this.at(t,ds)),this}closestPointToPoint(t,e){e.subVectors(t,this.origin);let n=e.dot(this.direction);return n<0?e.copy(this.origin):e.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(t){return Math.sqrt(this.distanceSqToPoint(t))}distanceSqToPoint(t){let e=ds.subVectors(t,this.origin).dot(this.direction);return e<0?this.origin.distanceToSquared(t):(ds.copy(this.origin).addScaledVector(this.direction,e),ds.distanceToSquared(t))}distanceSqToSegment(t,e,n,s){mu.copy(t).add(e).multiplyScalar(.5),pl.copy(e).sub(t).normalize(),ml.copy(this.origin).sub(mu);let r=t.distanceTo(e)*.5,o=-this.direction.dot(pl),a=ml.dot(this.direction),l=-ml.dot(pl),c=ml.lengthSq(),h=Math.abs(1-o*o),u,f,d,g;if(h>0)if(u=o*l-a,f=o*a-l,g=r*h,u>=0)if(f>=-g)if(f<=g){let v=1/h;u*=v,f*=v,d=u*(u+o*f+2*a)+f*(o*u+f+2*l)+c}else f=r,u=Math.max(0,-(o*f+a)),d=-u*u+f*(f+2*l)+c;else f=-r,u=Math.max(0,-(o*f+a)),d=-u*u+f*(f+2*l)+c;else f<=-g?(u=Math.max(0,-(-o*r+a)),f=u>0?-r:Math.min(Math.max(-r,-l),r),d=-u*u+f*(f+2*l)+c):f<=g?(u=0,f=Math.min(Math.max(-r,-l),r),d=f*(f+2*l)+c):(u=Math.max(0,-(o*r+a)),f=u>0?r:Math.min(Math.max(-r,-l),r),d=-u*u+f*(f+2*l)+c);else f=o>0?-r:r,u=Math.max(0,-(o*f+a)),d=-u*u+f*(f+2*l)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,u),s&&s.copy(mu).addScaledVector(pl,f),d}intersectSphere(t,e){if(t.radius<0)return null;ds.subVectors(t.center,this.origin);let n=ds.dot(this.direction),s=ds.dot(ds)-n*n,r=t.radius*t.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=n-o,l=n+o;return l<0?null:a<0?this.at(l,e):this.at(a,e)}intersectsSphere(t){return t.radius<0?!1:this.distanceSqToPoint(t.center)<=t.radius*t.radius}distanceToPlane(t){let e=t.normal.dot(this.direction);if(e===0)return t.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(t.normal)+t.constant)/e;return n>=0?n:null}intersectPlane(t,e){let n=this.distanceToPlane(t);return n===null?null:this.at(n,e)}intersectsPlane(t){let e=t.distanceToPoint(this.origin);return e===0||t.normal.dot(this.direction)*e<0}intersectBox(t,e){let n,s,r,o,a,l,c=1/this.direction.x,h=1/this.direction.y,u=1/this.direction.z,f=this.origin;return c>=0?(n=(t.min.x-f.x)*c,s=(t.max.x-f.x)*c):(n=(t.max.x-f.x)*c,s=(t.min.x-f.x)*c),h>=0?(r=(t.min.y-f.y)*h,o=(t.max.y-f.y)*h):(r=(t.max.y-f.y)*h,o=(t.min.y-f.y)*h),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),u>=0?(a=(t.min.z-f.z)*u,l=(t.max.z-f.z)*u):(a=(t.max.z-f.z)*u,l=(t.min.z-f.z)*u),n>l||a>s)||((a>n||n!==n)&&(n=a),(l<s||s!==s)&&(s=l),s<0)?null:this.at(n>=0?n:s,e)}intersectsBox(t){return this.intersectBox(t,ds)!==null}intersectTriangle(t,e,n,s,r){let o=this.origin,a=this.direction,l=a.x,c=a.y,h=a.z,u=t.x-o.x,f=t.y-o.y,d=t.z-o.z,g=e.x-o.x,v=e.y-o.y,m=e.z-o.z,p=n.x-o.x,S=n.y-o.y,y=n.z-o.z,M=Math.abs(l),R=Math.abs(c),A=Math.abs(h),x,E,z,U,L,H,W,N,G,J,V,ct;if(M>=R&&M>=A?(z=l,H=u,G=g,ct=p,l>=0?(x=c,E=h,U=f,L=d,W=v,N=m,J=S,V=y):(x=h,E=c,U=d,L=f,W=m,N=v,J=y,V=S)):R>=A?(z=c,H=f,G=v,ct=S,c>=0?(x=h,E=l,U=d,L=u,W=m,N=g,J=y,V=p):(x=l,E=h,U=u,L=d,W=g,N=m,J=p,V=y)):(z=h,H=d,G=m,ct=y,h>=0?(x=l,E=c,U=u,L=f,W=g,N=v,J=p,V=S):(x=c,E=l,U=f,L=u,W=v,N=g,J=S,V=p)),z===0)return null;let K=x/z,Q=E/z,st=1/z,ft=U-K*H,ut=L-Q*H,tt=W-K*G,mt=N-Q*G,_t=J-K*ct,Et=V-Q*ct,St=_t*mt-Et*tt,Ht=ft*Et-ut*_t,ne=tt*ut-mt*ft;if(s){if(St<0||Ht<0||ne<0)return null}else if((St<0||Ht<0||ne<0)&&(St>0||Ht>0||ne>0))return null;let Vt=St+Ht+ne;if(Vt===0)return null;let le=st*(St*H+Ht*G+ne*ct);return(Vt>0?le<0:le>0)?null:this.at(le/Vt,r)}applyMatrix4(t){return this.origin.applyMatrix4(t),this.direction.transformDirection(t),this}equals(t){return t.origin.equals(this.origin)&&t.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},ql=class extends zs{constructor(t){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new me(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new ks,this.combine=Ru,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.fog=t.fog,this}},gp=new Ie,ir=new Qo,gl=new xs,xp=new $,xl=new $,_l=new $,vl=new $,gu=new $,yl=new $,_p=new $,Ml=new $,Dn=class extends oi{constructor(t=new Rn,e=new ql){super(),this.isMesh=!0,this.type="Mesh",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(t,e){let n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;e.fromBufferAttribute(s,t);let a=this.morphTargetInfluences;if(r&&a){yl.set(0,0,0);for(let l=0,c=r.length;l<c;l++){let h=a[l],u=r[l];h!==0&&(gu.fromBufferAttribute(u,t),o?yl.addScaledVector(gu,h):yl.addScaledVector(gu.sub(e),h))}e.add(yl)}return e}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),gl.copy(n.boundingSphere),gl.applyMatrix4(r),ir.copy(t.ray).recast(t.near),!(gl.containsPoint(ir.origin)===!1&&(ir.intersectSphere(gl,xp)===null||ir.origin.distanceToSquared(xp)>(t.far-t.near)**2))&&(gp.copy(r).invert(),ir.copy(t.ray).applyMatrix4(gp),!(n.boundingBox!==null&&ir.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(t,e,ir)))}_computeIntersections(t,e,n){let s,r=this.geometry,o=this.material,a=r.index,l=r.attributes.position,c=r.attributes.uv,h=r.attributes.uv1,u=r.attributes.normal,f=r.groups,d=r.drawRange;if(a!==null)if(Array.isArray(o))for(let g=0,v=f.length;g<v;g++){let m=f[g],p=o[m.materialIndex],S=Math.max(m.start,d.start),y=Math.min(a.count,Math.min(m.start+m.count,d.start+d.count));for(let M=S,R=y;M<R;M+=3){let A=a.getX(M),x=a.getX(M+1),E=a.getX(M+2);s=Sl(this,p,t,n,c,h,u,A,x,E),s&&(s.faceIndex=Math.floor(M/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let g=Math.max(0,d.start),v=Math.min(a.count,d.start+d.count);for(let m=g,p=v;m<p;m+=3){let S=a.getX(m),y=a.getX(m+1),M=a.getX(m+2);s=Sl(this,o,t,n,c,h,u,S,y,M),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}else if(l!==void 0)if(Array.isArray(o))for(let g=0,v=f.length;g<v;g++){let m=f[g],p=o[m.materialIndex],S=Math.max(m.start,d.start),y=Math.min(l.count,Math.min(m.start+m.count,d.start+d.count));for(let M=S,R=y;M<R;M+=3){let A=M,x=M+1,E=M+2;s=Sl(this,p,t,n,c,h,u,A,x,E),s&&(s.faceIndex=Math.floor(M/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let g=Math.max(0,d.start),v=Math.min(l.count,d.start+d.count);for(let m=g,p=v;m<p;m+=3){let S=m,y=m+1,M=m+2;s=Sl(this,o,t,n,c,h,u,S,y,M),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}}};function Y_(i,t,e,n,s,r,o,a){let l;if(t.side===Yn?l=n.intersectTriangle(o,r,s,!0,a):l=n.intersectTriangle(s,r,o,t.side===Ki,a),l===null)return null;Ml.copy(a),Ml.applyMatrix4(i.matrixWorld);let c=e.ray.origin.distanceTo(Ml);return c<e.near||c>e.far?null:{distance:c,point:Ml.clone(),object:i}}function Sl(i,t,e,n,s,r,o,a,l,c){i.getVertexPosition(a,xl),i.getVertexPosition(l,_l),i.getVertexPosition(c,vl);let h=Y_(i,t,e,n,xl,_l,vl,_p);if(h){let u=new $;Bs.getBarycoord(_p,xl,_l,vl,u),s&&(h.uv=Bs.getInterpolatedAttribute(s,a,l,c,u,new pe)),r&&(h.uv1=Bs.getInterpolatedAttribute(r,a,l,c,u,new pe)),o&&(h.normal=Bs.getInterpolatedAttribute(o,a,l,c,u,new $),h.normal.dot(n.direction)>0&&h.normal.multiplyScalar(-1));let f={a,b:l,c,normal:new $,materialIndex:0};Bs.getNormal(xl,_l,vl,f.normal),h.face=f,h.barycoord=u}return h}var ta=class extends Jn{constructor(t=null,e=1,n=1,s,r,o,a,l,c=Tn,h=Tn,u,f){super(null,o,a,l,c,h,s,r,u,f),this.isDataTexture=!0,this.image={data:t,width:e,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}};var Vs=class extends pn{constructor(t,e,n,s=1){super(t,e,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(t){return super.copy(t),this.meshPerAttribute=t.meshPerAttribute,this}toJSON(){let t=super.toJSON();return t.meshPerAttribute=this.meshPerAttribute,t.isInstancedBufferAttribute=!0,t}},Xr=new Ie,vp=new Ie,bl=[],yp=new Ji,$_=new Ie,ko=new Dn,zo=new xs,ea=class extends Dn{constructor(t,e,n){super(t,e),this.isInstancedMesh=!0,this.instanceMatrix=new Vs(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<n;s++)this.setMatrixAt(s,$_)}computeBoundingBox(){let t=this.geometry,e=this.count;this.boundingBox===null&&(this.boundingBox=new Ji),t.boundingBox===null&&t.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,Xr),yp.copy(t.boundingBox).applyMatrix4(Xr),this.boundingBox.union(yp)}computeBoundingSphere(){let t=this.geometry,e=this.count;this.boundingSphere===null&&(this.boundingSphere=new xs),t.boundingSphere===null&&t.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,Xr),zo.copy(t.boundingSphere).applyMatrix4(Xr),this.boundingSphere.union(zo)}copy(t,e){return super.copy(t,e),this.instanceMatrix.copy(t.instanceMatrix),this.morphTexture=t.morphTexture!==null?t.morphTexture.clone():null,this.instanceColor=t.instanceColor!==null?t.instanceColor.clone():null,this.count=t.count,this.boundingBox=t.boundingBox!==null?t.boundingBox.clone():null,this.boundingSphere=t.boundingSphere!==null?t.boundingSphere.clone():null,this}getColorAt(t,e){return this.instanceColor===null?e.setRGB(1,1,1):e.fromArray(this.instanceColor.array,t*3)}getMatrixAt(t,e){return e.fromArray(this.instanceMatrix.array,t*16)}getMorphAt(t,e){let n=e.morphTargetInfluences,s=this.morphTexture.source.data.data,r=n.length+1,o=t*r+1;for(let a=0;a<n.length;a++)n[a]=s[o+a]}raycast(t,e){let n=this.matrixWorld,s=this.count;if(ko.geometry=this.geometry,ko.material=this.material,ko.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),zo.copy(this.boundingSphere),zo.applyMatrix4(n),t.ray.intersectsSphere(zo)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,Xr),vp.multiplyMatrices(n,Xr),ko.matrixWorld=vp,ko.raycast(t,bl);for(let o=0,a=bl.length;o<a;o++){let l=bl[o];l.instanceId=r,l.object=this,e.push(l)}bl.length=0}}setColorAt(t,e){return this.instanceColor===null&&(this.instanceColor=new Vs(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),e.toArray(this.instanceColor.array,t*3),this}setMatrixAt(t,e){return e.toArray(this.instanceMatrix.array,t*16),this}setMorphAt(t,e){let n=e.morphTargetInfluences,s=n.length+1;this.morphTexture===null&&(this.morphTexture=new ta(new Float32Array(s*this.count),s,this.count,vc,xi));let r=this.morphTexture.source.data.data,o=0;for(let c=0;c<n.length;c++)o+=n[c];let a=this.geometry.morphTargetsRelative?1:1-o,l=s*t;return r[l]=a,r.set(n,l+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}},sr=new xs,Z_=new pe(.5,.5),wl=new $,or=class{constructor(t=new Pi,e=new Pi,n=new Pi,s=new Pi,r=new Pi,o=new Pi){this.planes=[t,e,n,s,r,o]}set(t,e,n,s,r,o){let a=this.planes;return a[0].copy(t),a[1].copy(e),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(t){let e=this.planes;for(let n=0;n<6;n++)e[n].copy(t.planes[n]);return this}setFromProjectionMatrix(t,e=gi,n=!1){let s=this.planes,r=t.elements,o=r[0],a=r[1],l=r[2],c=r[3],h=r[4],u=r[5],f=r[6],d=r[7],g=r[8],v=r[9],m=r[10],p=r[11],S=r[12],y=r[13],M=r[14],R=r[15];if(s[0].setComponents(c-o,d-h,p-g,R-S).normalize(),s[1].setComponents(c+o,d+h,p+g,R+S).normalize(),s[2].setComponents(c+a,d+u,p+v,R+y).normalize(),s[3].setComponents(c-a,d-u,p-v,R-y).normalize(),n)s[4].setComponents(l,f,m,M).normalize(),s[5].setComponents(c-l,d-f,p-m,R-M).normalize();else if(s[4].setComponents(c-l,d-f,p-m,R-M).normalize(),e===gi)s[5].setComponents(c+l,d+f,p+m,R+M).normalize();else if(e===Xo)s[5].setComponents(l,f,m,M).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+e);return this}intersectsObject(t){if(t.boundingSphere!==void 0)t.boundingSphere===null&&t.computeBoundingSphere(),sr.copy(t.boundingSphere).applyMatrix4(t.matrixWorld);else{let e=t.geometry;e.boundingSphere===null&&e.computeBoundingSphere(),sr.copy(e.boundingSphere).applyMatrix4(t.matrixWorld)}return this.intersectsSphere(sr)}intersectsSprite(t){sr.center.set(0,0,0);let e=Z_.distanceTo(t.center);return sr.radius=.7071067811865476+e,sr.applyMatrix4(t.matrixWorld),this.intersectsSphere(sr)}intersectsSphere(t){let e=this.planes,n=t.center,s=-t.radius;for(let r=0;r<6;r++)if(e[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(t){let e=this.planes;for(let n=0;n<6;n++){let s=e[n];if(wl.x=s.normal.x>0?t.max.x:t.min.x,wl.y=s.normal.y>0?t.max.y:t.min.y,wl.z=s.normal.z>0?t.max.z:t.min.z,s.distanceToPoint(wl)<0)return!1}return!0}containsPoint(t){let e=this.planes;for(let n=0;n<6;n++)if(e[n].distanceToPoint(t)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},Mp=new Ie,Yl=class i{constructor(){this.coordinateSystem=gi,this._frustums=[],this._count=0}setFromArrayCamera(t){let e=t.cameras,n=this._frustums;for(let s=0;s<e.length;s++){let r=e[s];Mp.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[s]===void 0&&(n[s]=new or),n[s].setFromProjectionMatrix(Mp,r.coordinateSystem,r.reversedDepth)}return this._count=e.length,this}getFrustum(t){return this._frustums[t]}intersectsObject(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsObject(t))return!0;return!1}intersectsSprite(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSprite(t))return!0;return!1}intersectsSphere(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSphere(t))return!0;return!1}intersectsBox(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsBox(t))return!0;return!1}containsPoint(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].containsPoint(t))return!0;return!1}copy(t){this.coordinateSystem=t.coordinateSystem;let e=this._frustums,n=t._frustums;for(let s=0;s<t._count;s++)e[s]===void 0&&(e[s]=new or),e[s].copy(n[s]);return this._count=t._count,this}clone(){return new i().copy(this)}};var no=class extends zs{constructor(t){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new me(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.linewidth=t.linewidth,this.linecap=t.linecap,this.linejoin=t.linejoin,this.fog=t.fog,this}},$l=new $,Zl=new $,Sp=new Ie,Vo=new Qo,Tl=new xs,xu=new $,bp=new $,Jl=class extends oi{constructor(t=new Rn,e=new no){super(),this.isLine=!0,this.type="Line",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[0];for(let s=1,r=e.count;s<r;s++)$l.fromBufferAttribute(e,s-1),Zl.fromBufferAttribute(e,s),n[s]=n[s-1],n[s]+=$l.distanceTo(Zl);t.setAttribute("lineDistance",new cn(n,1))}else Yt("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.matrixWorld,r=t.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),Tl.copy(n.boundingSphere),Tl.applyMatrix4(s),Tl.radius+=r,t.ray.intersectsSphere(Tl)===!1)return;Sp.copy(s).invert(),Vo.copy(t.ray).applyMatrix4(Sp);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=this.isLineSegments?2:1,h=n.index,f=n.attributes.position;if(h!==null){let d=Math.max(0,o.start),g=Math.min(h.count,o.start+o.count);for(let v=d,m=g-1;v<m;v+=c){let p=h.getX(v),S=h.getX(v+1),y=Al(this,t,Vo,l,p,S,v);y&&e.push(y)}if(this.isLineLoop){let v=h.getX(g-1),m=h.getX(d),p=Al(this,t,Vo,l,v,m,g-1);p&&e.push(p)}}else{let d=Math.max(0,o.start),g=Math.min(f.count,o.start+o.count);for(let v=d,m=g-1;v<m;v+=c){let p=Al(this,t,Vo,l,v,v+1,v);p&&e.push(p)}if(this.isLineLoop){let v=Al(this,t,Vo,l,g-1,d,g-1);v&&e.push(v)}}}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function Al(i,t,e,n,s,r,o){let a=i.geometry.attributes.position;if($l.fromBufferAttribute(a,s),Zl.fromBufferAttribute(a,r),e.distanceSqToSegment($l,Zl,xu,bp)>n)return;xu.applyMatrix4(i.matrixWorld);let c=t.ray.origin.distanceTo(xu);if(!(c<t.near||c>t.far))return{distance:c,point:bp.clone().applyMatrix4(i.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:i}}var wp=new $,Tp=new $,na=class extends Jl{constructor(t,e){super(t,e),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[];for(let s=0,r=e.count;s<r;s+=2)wp.fromBufferAttribute(e,s),Tp.fromBufferAttribute(e,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+wp.distanceTo(Tp);t.setAttribute("lineDistance",new cn(n,1))}else Yt("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}};var ia=class extends Jn{constructor(t=[],e=lr,n,s,r,o,a,l,c,h){super(t,e,n,s,r,o,a,l,c,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(t){this.image=t}};var _s=class extends Jn{constructor(t,e,n=Ii,s,r,o,a=Tn,l=Tn,c,h=ms,u=1){if(h!==ms&&h!==Ms)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let f={width:t,height:e,depth:u};super(f,s,r,o,a,l,h,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(t){return super.copy(t),this.source=new Qr(Object.assign({},t.image)),this.compareFunction=t.compareFunction,this}toJSON(t){let e=super.toJSON(t);return e.compareFunction=this.compareFunction,e}},sa=class extends _s{constructor(t,e=Ii,n=lr,s,r,o=Tn,a=Tn,l,c=ms){let h={width:t,height:t,depth:1},u=[h,h,h,h,h,h];super(t,t,e,n,s,r,o,a,l,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(t){this.image=t}},ra=class extends Jn{constructor(t=null){super(),this.sourceTexture=t,this.isExternalTexture=!0}copy(t){return super.copy(t),this.sourceTexture=t.sourceTexture,this}},io=class i extends Rn{constructor(t=1,e=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:t,height:e,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let l=[],c=[],h=[],u=[],f=0,d=0;g("z","y","x",-1,-1,n,e,t,o,r,0),g("z","y","x",1,-1,n,e,-t,o,r,1),g("x","z","y",1,1,t,n,e,s,o,2),g("x","z","y",1,-1,t,n,-e,s,o,3),g("x","y","z",1,-1,t,e,n,s,r,4),g("x","y","z",-1,-1,t,e,-n,s,r,5),this.setIndex(l),this.setAttribute("position",new cn(c,3)),this.setAttribute("normal",new cn(h,3)),this.setAttribute("uv",new cn(u,2));function g(v,m,p,S,y,M,R,A,x,E,z){let U=M/x,L=R/E,H=M/2,W=R/2,N=A/2,G=x+1,J=E+1,V=0,ct=0,K=new $;for(let Q=0;Q<J;Q++){let st=Q*L-W;for(let ft=0;ft<G;ft++){let ut=ft*U-H;K[v]=ut*S,K[m]=st*y,K[p]=N,c.push(K.x,K.y,K.z),K[v]=0,K[m]=0,K[p]=A>0?1:-1,h.push(K.x,K.y,K.z),u.push(ft/x),u.push(1-Q/E),V+=1}}for(let Q=0;Q<E;Q++)for(let st=0;st<x;st++){let ft=f+st+G*Q,ut=f+st+G*(Q+1),tt=f+(st+1)+G*(Q+1),mt=f+(st+1)+G*Q;l.push(ft,ut,mt),l.push(ut,tt,mt),ct+=6}a.addGroup(d,ct,z),d+=ct,f+=V}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}};var oa=class i extends Rn{constructor(t=1,e=32,n=0,s=Math.PI*2){super(),this.type="CircleGeometry",this.parameters={radius:t,segments:e,thetaStart:n,thetaLength:s},e=Math.max(3,e);let r=[],o=[],a=[],l=[],c=new $,h=new pe;o.push(0,0,0),a.push(0,0,1),l.push(.5,.5);for(let u=0,f=3;u<=e;u++,f+=3){let d=n+u/e*s;c.x=t*Math.cos(d),c.y=t*Math.sin(d),o.push(c.x,c.y,c.z),a.push(0,0,1),h.x=(o[f]/t+1)/2,h.y=(o[f+1]/t+1)/2,l.push(h.x,h.y)}for(let u=1;u<=e;u++)r.push(u,u+1,0);this.setIndex(r),this.setAttribute("position",new cn(o,3)),this.setAttribute("normal",new cn(a,3)),this.setAttribute("uv",new cn(l,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.segments,t.thetaStart,t.thetaLength)}};var aa=class i extends Rn{constructor(t=1,e=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:t,height:e,widthSegments:n,heightSegments:s};let r=t/2,o=e/2,a=Math.floor(n),l=Math.floor(s),c=a+1,h=l+1,u=t/a,f=e/l,d=[],g=[],v=[],m=[];for(let p=0;p<h;p++){let S=p*f-o;for(let y=0;y<c;y++){let M=y*u-r;g.push(M,-S,0),v.push(0,0,1),m.push(y/a),m.push(1-p/l)}}for(let p=0;p<l;p++)for(let S=0;S<a;S++){let y=S+c*p,M=S+c*(p+1),R=S+1+c*(p+1),A=S+1+c*p;d.push(y,M,A),d.push(M,R,A)}this.setIndex(d),this.setAttribute("position",new cn(g,3)),this.setAttribute("normal",new cn(v,3)),this.setAttribute("uv",new cn(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.widthSegments,t.heightSegments)}};var la=class i extends Rn{constructor(t=1,e=32,n=16,s=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:t,widthSegments:e,heightSegments:n,phiStart:s,phiLength:r,thetaStart:o,thetaLength:a},e=Math.max(3,Math.floor(e)),n=Math.max(2,Math.floor(n));let l=Math.min(o+a,Math.PI),c=0,h=[],u=new $,f=new $,d=[],g=[],v=[],m=[];for(let p=0;p<=n;p++){let S=[],y=p/n,M=o+y*a,R=t*Math.cos(M),A=Math.sqrt(t*t-R*R),x=0;p===0&&o===0?x=.5/e:p===n&&l===Math.PI&&(x=-.5/e);for(let E=0;E<=e;E++){let z=E/e,U=s+z*r;u.x=-A*Math.cos(U),u.y=R,u.z=A*Math.sin(U),g.push(u.x,u.y,u.z),f.copy(u).normalize(),v.push(f.x,f.y,f.z),m.push(z+x,1-y),S.push(c++)}h.push(S)}for(let p=0;p<n;p++)for(let S=0;S<e;S++){let y=h[p][S+1],M=h[p][S],R=h[p+1][S],A=h[p+1][S+1];(p!==0||o>0)&&d.push(y,M,A),(p!==n-1||l<Math.PI)&&d.push(M,R,A)}this.setIndex(d),this.setAttribute("position",new cn(g,3)),this.setAttribute("normal",new cn(v,3)),this.setAttribute("uv",new cn(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}};function ur(i){let t={};for(let e in i){t[e]={};for(let n in i[e]){let s=i[e][n];if(Ap(s))s.isRenderTargetTexture?(Yt("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),t[e][n]=null):t[e][n]=s.clone();else if(Array.isArray(s))if(Ap(s[0])){let r=[];for(let o=0,a=s.length;o<a;o++)r[o]=s[o].clone();t[e][n]=r}else t[e][n]=s.slice();else t[e][n]=s}}return t}function Fn(i){let t={};for(let e=0;e<i.length;e++){let n=ur(i[e]);for(let s in n)t[s]=n[s]}return t}function Ap(i){return i&&(i.isColor||i.isMatrix3||i.isMatrix4||i.isVector2||i.isVector3||i.isVector4||i.isTexture||i.isQuaternion)}function J_(i){let t=[];for(let e=0;e<i.length;e++)t.push(i[e].clone());return t}function Zu(i){let t=i.getRenderTarget();return t===null?i.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:de.workingColorSpace}var pm={clone:ur,merge:Fn},K_=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,j_=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,Un=class extends zs{constructor(t){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=K_,this.fragmentShader=j_,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,t!==void 0&&this.setValues(t)}copy(t){return super.copy(t),this.fragmentShader=t.fragmentShader,this.vertexShader=t.vertexShader,this.uniforms=ur(t.uniforms),this.uniformsGroups=J_(t.uniformsGroups),this.defines=Object.assign({},t.defines),this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.fog=t.fog,this.lights=t.lights,this.clipping=t.clipping,this.extensions=Object.assign({},t.extensions),this.glslVersion=t.glslVersion,this.defaultAttributeValues=Object.assign({},t.defaultAttributeValues),this.index0AttributeName=t.index0AttributeName,this.uniformsNeedUpdate=t.uniformsNeedUpdate,this}toJSON(t){let e=super.toJSON(t);e.glslVersion=this.glslVersion,e.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?e.uniforms[s]={type:"t",value:o.toJSON(t).uuid}:o&&o.isColor?e.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?e.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?e.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?e.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?e.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?e.uniforms[s]={type:"m4",value:o.toArray()}:e.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(e.defines=this.defines),e.vertexShader=this.vertexShader,e.fragmentShader=this.fragmentShader,e.lights=this.lights,e.clipping=this.clipping;let n={};for(let s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(e.extensions=n),e}fromJSON(t,e){if(super.fromJSON(t,e),t.uniforms!==void 0)for(let n in t.uniforms){let s=t.uniforms[n];switch(this.uniforms[n]={},s.type){case"t":this.uniforms[n].value=e[s.value]||null;break;case"c":this.uniforms[n].value=new me().setHex(s.value);break;case"v2":this.uniforms[n].value=new pe().fromArray(s.value);break;case"v3":this.uniforms[n].value=new $().fromArray(s.value);break;case"v4":this.uniforms[n].value=new De().fromArray(s.value);break;case"m3":this.uniforms[n].value=new Qt().fromArray(s.value);break;case"m4":this.uniforms[n].value=new Ie().fromArray(s.value);break;default:this.uniforms[n].value=s.value}}if(t.defines!==void 0&&(this.defines=t.defines),t.vertexShader!==void 0&&(this.vertexShader=t.vertexShader),t.fragmentShader!==void 0&&(this.fragmentShader=t.fragmentShader),t.glslVersion!==void 0&&(this.glslVersion=t.glslVersion),t.extensions!==void 0)for(let n in t.extensions)this.extensions[n]=t.extensions[n];return t.lights!==void 0&&(this.lights=t.lights),t.clipping!==void 0&&(this.clipping=t.clipping),this}},Kl=class extends Un{constructor(t){super(t),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}};var jl=class extends zs{constructor(t){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=jp,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(t)}copy(t){return super.copy(t),this.depthPacking=t.depthPacking,this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this}},Ql=class extends zs{constructor(t){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(t)}copy(t){return super.copy(t),this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this}};function qr(i,t){return!i||i.constructor===t?i:typeof t.BYTES_PER_ELEMENT=="number"?new t(i):Array.prototype.slice.call(i)}function El(i){return i!==void 0&&i.inTangents!==void 0&&i.outTangents!==void 0}var Gs=class{constructor(t,e,n,s){this.parameterPositions=t,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new e.constructor(n),this.sampleValues=e,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(t){let e=this.parameterPositions,n=this._cachedIndex,s=e[n],r=e[n-1];n:{t:{let o;e:{i:if(!(t<s)){for(let a=n+2;;){if(s===void 0){if(t<r)break i;return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(r=s,s=e[++n],t<s)break t}o=e.length;break e}if(!(t>=r)){let a=e[1];t<a&&(n=2,r=a);for(let l=n-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===l)break;if(s=r,r=e[--n-1],t>=r)break t}o=n,n=0;break e}break n}for(;n<o;){let a=n+o>>>1;t<e[a]?o=a:n=a+1}if(s=e[n],r=e[n-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,r,s)}return this.interpolate_(n,r,t,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(t){let e=this.resultBuffer,n=this.sampleValues,s=this.valueSize,r=t*s;for(let o=0;o!==s;++o)e[o]=n[r+o];return e}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},tc=class extends Gs{constructor(t,e,n,s){super(t,e,n,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:vu,endingEnd:vu}}intervalChanged_(t,e,n){let s=this.parameterPositions,r=t-2,o=t+1,a=s[r],l=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case yu:r=t,a=2*e-n;break;case Mu:r=s.length-2,a=e+s[r]-s[r+1];break;default:r=t,a=n}if(l===void 0)switch(this.getSettings_().endingEnd){case yu:o=t,l=2*n-e;break;case Mu:o=1,l=n+s[1]-s[0];break;default:o=t-1,l=e}let c=(n-e)*.5,h=this.valueSize;this._weightPrev=c/(e-a),this._weightNext=c/(l-n),this._offsetPrev=r*h,this._offsetNext=o*h}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this._offsetPrev,u=this._offsetNext,f=this._weightPrev,d=this._weightNext,g=(n-e)/(s-e),v=g*g,m=v*g,p=-f*m+2*f*v-f*g,S=(1+f)*m+(-1.5-2*f)*v+(-.5+f)*g+1,y=(-1-d)*m+(1.5+d)*v+.5*g,M=d*m-d*v;for(let R=0;R!==a;++R)r[R]=p*o[h+R]+S*o[c+R]+y*o[l+R]+M*o[u+R];return r}},ec=class extends Gs{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=(n-e)/(s-e),u=1-h;for(let f=0;f!==a;++f)r[f]=o[c+f]*u+o[l+f]*h;return r}},nc=class extends Gs{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t){return this.copySampleValue_(t-1)}},ic=class extends Gs{interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this.inTangents,u=this.outTangents;if(!h||!u){let g=(n-e)/(s-e),v=1-g;for(let m=0;m!==a;++m)r[m]=o[c+m]*v+o[l+m]*g;return r}let f=a*2,d=t-1;for(let g=0;g!==a;++g){let v=o[c+g],m=o[l+g],p=d*f+g*2,S=u[p],y=u[p+1],M=t*f+g*2,R=h[M],A=h[M+1],x=tv(n,e,S,R,s);r[g]=mm(x,v,y,A,m)}return r}};function mm(i,t,e,n,s){let r=1-i;return r*r*r*t+3*r*r*i*e+3*r*i*i*n+i*i*i*s}function Q_(i,t,e,n,s){let r=1-i;return 3*r*r*(e-t)+6*r*i*(n-e)+3*i*i*(s-n)}function tv(i,t,e,n,s){let r=(i-t)/(s-t);for(let o=0;o<8;o++){let a=mm(r,t,e,n,s)-i;if(Math.abs(a)<1e-10)break;let l=Q_(r,t,e,n,s);if(Math.abs(l)<1e-10)break;r=Math.max(0,Math.min(1,r-a/l))}return r}var ai=class{constructor(t,e,n,s){if(t===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(e===void 0||e.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+t);this.name=t,this.times=qr(e,this.TimeBufferType),this.values=qr(n,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(t){let e=t.constructor,n;if(e.toJSON!==this.toJSON)n=e.toJSON(t);else{n={name:t.name,times:qr(t.times,Array),values:qr(t.values,Array)};let s=t.getInterpolation();s!==t.DefaultInterpolation&&(n.interpolation=s),El(t.settings)&&(n.settings={inTangents:qr(t.settings.inTangents,Array),outTangents:qr(t.settings.outTangents,Array)})}return n.type=t.ValueTypeName,n}InterpolantFactoryMethodDiscrete(t){return new nc(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodLinear(t){return new ec(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodSmooth(t){return new tc(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodBezier(t){let e=new ic(this.times,this.values,this.getValueSize(),t);return this.settings&&(e.inTangents=this.settings.inTangents,e.outTangents=this.settings.outTangents),e}setInterpolation(t){let e;switch(t){case Ho:e=this.InterpolantFactoryMethodDiscrete;break;case zl:e=this.InterpolantFactoryMethodLinear;break;case Pl:e=this.InterpolantFactoryMethodSmooth;break;case _u:e=this.InterpolantFactoryMethodBezier;break}if(e===void 0){let n="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(t!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(n);return Yt("KeyframeTrack:",n),this}return this.createInterpolant=e,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return Ho;case this.InterpolantFactoryMethodLinear:return zl;case this.InterpolantFactoryMethodSmooth:return Pl;case this.InterpolantFactoryMethodBezier:return _u}}getValueSize(){return this.values.length/this.times.length}shift(t){if(t!==0){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]+=t;El(this.settings)&&(Ep(this.settings.inTangents,t),Ep(this.settings.outTangents,t))}return this}scale(t){if(t!==1){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]*=t;El(this.settings)&&(Rp(this.settings.inTangents,t),Rp(this.settings.outTangents,t))}return this}trim(t,e){let n=this.times,s=n.length,r=0,o=s-1;for(;r!==s&&n[r]<t;)++r;for(;o!==-1&&n[o]>e;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=n.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let t=!0,e=this.getValueSize();e-Math.floor(e)!==0&&(jt("KeyframeTrack: Invalid value size in track.",this),t=!1);let n=this.times,s=this.values,r=n.length;r===0&&(jt("KeyframeTrack: Track is empty.",this),t=!1);let o=null;for(let a=0;a!==r;a++){let l=n[a];if(typeof l=="number"&&isNaN(l)){jt("KeyframeTrack: Time is not a valid number.",this,a,l),t=!1;break}if(o!==null&&o>l){jt("KeyframeTrack: Out of order keys.",this,a,l,o),t=!1;break}o=l}if(s!==void 0&&C_(s))for(let a=0,l=s.length;a!==l;++a){let c=s[a];if(isNaN(c)){jt("KeyframeTrack: Value is not a valid number.",this,a,c),t=!1;break}}return t}optimize(){let t=this.times.slice(),e=this.values.slice(),n=this.getValueSize(),s=this.getInterpolation()===Pl,r=t.length-1,o=1;for(let a=1;a<r;++a){let l=!1,c=t[a],h=t[a+1];if(c!==h&&(a!==1||c!==t[0]))if(s)l=!0;else{let u=a*n,f=u-n,d=u+n;for(let g=0;g!==n;++g){let v=e[u+g];if(v!==e[f+g]||v!==e[d+g]){l=!0;break}}}if(l){if(a!==o){t[o]=t[a];let u=a*n,f=o*n;for(let d=0;d!==n;++d)e[f+d]=e[u+d]}++o}}if(r>0){t[o]=t[r];for(let a=r*n,l=o*n,c=0;c!==n;++c)e[l+c]=e[a+c];++o}return o!==t.length?(this.times=t.slice(0,o),this.values=e.slice(0,o*n)):(this.times=t,this.values=e),this}clone(){let t=this.times.slice(),e=this.values.slice(),n=this.constructor,s=new n(this.name,t,e);return s.createInterpolant=this.createInterpolant,El(this.settings)&&(s.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),s}};function Ep(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]+=t}function Rp(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]*=t}ai.prototype.ValueTypeName="";ai.prototype.TimeBufferType=Float32Array;ai.prototype.ValueBufferType=Float32Array;ai.prototype.DefaultInterpolation=zl;var Hs=class extends ai{constructor(t,e,n){super(t,e,n)}};Hs.prototype.ValueTypeName="bool";Hs.prototype.ValueBufferType=Array;Hs.prototype.DefaultInterpolation=Ho;Hs.prototype.InterpolantFactoryMethodLinear=void 0;Hs.prototype.InterpolantFactoryMethodSmooth=void 0;var sc=class extends ai{constructor(t,e,n,s){super(t,e,n,s)}};sc.prototype.ValueTypeName="color";var rc=class extends ai{constructor(t,e,n,s){super(t,e,n,s)}};rc.prototype.ValueTypeName="number";var oc=class extends Gs{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=(n-e)/(s-e),c=t*a;for(let h=c+a;c!==h;c+=4)Zi.slerpFlat(r,0,o,c-a,o,c,l);return r}},ca=class extends ai{constructor(t,e,n,s){super(t,e,n,s)}InterpolantFactoryMethodLinear(t){return new oc(this.times,this.values,this.getValueSize(),t)}};ca.prototype.ValueTypeName="quaternion";ca.prototype.InterpolantFactoryMethodSmooth=void 0;var Ws=class extends ai{constructor(t,e,n){super(t,e,n)}};Ws.prototype.ValueTypeName="string";Ws.prototype.ValueBufferType=Array;Ws.prototype.DefaultInterpolation=Ho;Ws.prototype.InterpolantFactoryMethodLinear=void 0;Ws.prototype.InterpolantFactoryMethodSmooth=void 0;var ac=class extends ai{constructor(t,e,n,s){super(t,e,n,s)}};ac.prototype.ValueTypeName="vector";var lc=class{constructor(t,e,n){let s=this,r=!1,o=0,a=0,l,c=[];this.onStart=void 0,this.onLoad=t,this.onProgress=e,this.onError=n,this._abortController=null,this.itemStart=function(h){a++,r===!1&&s.onStart!==void 0&&s.onStart(h,o,a),r=!0},this.itemEnd=function(h){o++,s.onProgress!==void 0&&s.onProgress(h,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(h){s.onError!==void 0&&s.onError(h)},this.resolveURL=function(h){return h=h.normalize("NFC"),l?l(h):h},this.setURLModifier=function(h){return l=h,this},this.addHandler=function(h,u){return c.push(h,u),this},this.removeHandler=function(h){let u=c.indexOf(h);return u!==-1&&c.splice(u,2),this},this.getHandler=function(h){for(let u=0,f=c.length;u<f;u+=2){let d=c[u],g=c[u+1];if(d.global&&(d.lastIndex=0),d.test(h))return g}return null},this.abort=function(){return this.abortController.abort(),this._abortController=null,this}}get abortController(){return this._abortController||(this._abortController=new AbortController),this._abortController}},gm=new lc,cc=class{constructor(t){this.manager=t!==void 0?t:gm,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(t,e){let n=this;return new Promise(function(s,r){n.load(t,s,e,r)})}parse(){}setCrossOrigin(t){return this.crossOrigin=t,this}setWithCredentials(t){return this.withCredentials=t,this}setPath(t){return this.path=t,this}setResourcePath(t){return this.resourcePath=t,this}setRequestHeader(t){return this.requestHeader=t,this}setPriority(t){return this.priority=t,this}setCache(t){return this.cache=t,this}abort(){return this}};cc.DEFAULT_MATERIAL_NAME="__DEFAULT";var Rl=new $,Cl=new Zi,qi=new $,ha=class extends oi{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new Ie,this.projectionMatrix=new Ie,this.projectionMatrixInverse=new Ie,this.coordinateSystem=gi,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(t,e){return super.copy(t,e),this.matrixWorldInverse.copy(t.matrixWorldInverse),this.projectionMatrix.copy(t.projectionMatrix),this.projectionMatrixInverse.copy(t.projectionMatrixInverse),this.coordinateSystem=t.coordinateSystem,this}getWorldDirection(t){return super.getWorldDirection(t).negate()}updateMatrixWorld(t){super.updateMatrixWorld(t),this.matrixWorld.decompose(Rl,Cl,qi),qi.x===1&&qi.y===1&&qi.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Rl,Cl,qi.set(1,1,1)).invert()}updateWorldMatrix(t,e,n=!1){super.updateWorldMatrix(t,e,n),this.matrixWorld.decompose(Rl,Cl,qi),qi.x===1&&qi.y===1&&qi.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Rl,Cl,qi.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},Os=new $,Cp=new pe,Pp=new pe,Xn=class extends ha{constructor(t=50,e=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=t,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=e,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.fov=t.fov,this.zoom=t.zoom,this.near=t.near,this.far=t.far,this.focus=t.focus,this.aspect=t.aspect,this.view=t.view===null?null:Object.assign({},t.view),this.filmGauge=t.filmGauge,this.filmOffset=t.filmOffset,this}setFocalLength(t){let e=.5*this.getFilmHeight()/t;this.fov=Vl*2*Math.atan(e),this.updateProjectionMatrix()}getFocalLength(){let t=Math.tan(Jh*.5*this.fov);return .5*this.getFilmHeight()/t}getEffectiveFOV(){return Vl*2*Math.atan(Math.tan(Jh*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(t,e,n){Os.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),e.set(Os.x,Os.y).multiplyScalar(-t/Os.z),Os.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(Os.x,Os.y).multiplyScalar(-t/Os.z)}getViewSize(t,e){return this.getViewBounds(t,Cp,Pp),e.subVectors(Pp,Cp)}setViewOffset(t,e,n,s,r,o){this.aspect=t/e,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=this.near,e=t*Math.tan(Jh*.5*this.fov)/this.zoom,n=2*e,s=this.aspect*n,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let l=o.fullWidth,c=o.fullHeight;r+=o.offsetX*s/l,e-=o.offsetY*n/c,s*=o.width/l,n*=o.height/c}let a=this.filmOffset;a!==0&&(r+=t*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,e,e-n,t,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.fov=this.fov,e.object.zoom=this.zoom,e.object.near=this.near,e.object.far=this.far,e.object.focus=this.focus,e.object.aspect=this.aspect,this.view!==null&&(e.object.view=Object.assign({},this.view)),e.object.filmGauge=this.filmGauge,e.object.filmOffset=this.filmOffset,e}};var so=class extends ha{constructor(t=-1,e=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=t,this.right=e,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.left=t.left,this.right=t.right,this.top=t.top,this.bottom=t.bottom,this.near=t.near,this.far=t.far,this.zoom=t.zoom,this.view=t.view===null?null:Object.assign({},t.view),this}setViewOffset(t,e,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=(this.right-this.left)/(2*this.zoom),e=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=n-t,o=n+t,a=s+e,l=s-e;if(this.view!==null&&this.view.enabled){let c=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,o=r+c*this.view.width,a-=h*this.view.offsetY,l=a-h*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,l,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.zoom=this.zoom,e.object.left=this.left,e.object.right=this.right,e.object.top=this.top,e.object.bottom=this.bottom,e.object.near=this.near,e.object.far=this.far,this.view!==null&&(e.object.view=Object.assign({},this.view)),e}};var ua=class extends Rn{constructor(){super(),this.isInstancedBufferGeometry=!0,this.type="InstancedBufferGeometry",this.instanceCount=1/0}copy(t){return super.copy(t),this.instanceCount=t.instanceCount,this}toJSON(){let t=super.toJSON();return t.instanceCount=this.instanceCount,t.isInstancedBufferGeometry=!0,t}};var Yr=-90,$r=1,ro=class extends oi{constructor(t,e,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new Xn(Yr,$r,t,e);s.layers=this.layers,this.add(s);let r=new Xn(Yr,$r,t,e);r.layers=this.layers,this.add(r);let o=new Xn(Yr,$r,t,e);o.layers=this.layers,this.add(o);let a=new Xn(Yr,$r,t,e);a.layers=this.layers,this.add(a);let l=new Xn(Yr,$r,t,e);l.layers=this.layers,this.add(l);let c=new Xn(Yr,$r,t,e);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let t=this.coordinateSystem,e=this.children.concat(),[n,s,r,o,a,l]=e;for(let c of e)this.remove(c);if(t===gi)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(t===Xo)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+t);for(let c of e)this.add(c),c.updateMatrixWorld()}update(t,e){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==t.coordinateSystem&&(this.coordinateSystem=t.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,l,c,h]=this.children,u=t.getRenderTarget(),f=t.getActiveCubeFace(),d=t.getActiveMipmapLevel(),g=t.xr.enabled;t.xr.enabled=!1;let v=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let m=!1;t.isWebGLRenderer===!0?m=t.state.buffers.depth.getReversed():m=t.reversedDepthBuffer,t.setRenderTarget(n,0,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,r),t.setRenderTarget(n,1,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,o),t.setRenderTarget(n,2,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,a),t.setRenderTarget(n,3,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,l),t.setRenderTarget(n,4,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,c),n.texture.mipmapsAutoUpdate=v,t.setRenderTarget(n,5,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,h),t.setRenderTarget(u,f,d),t.xr.enabled=g,n.texture.needsPMREMUpdate=!0}},hc=class extends Xn{constructor(t=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=t,this.perCameraFrustumCulled=!1}};var Ju="\\[\\]\\.:\\/",ev=new RegExp("["+Ju+"]","g"),Ku="[^"+Ju+"]",nv="[^"+Ju.replace("\\.","")+"]",iv=/((?:WC+[\/:])*)/.source.replace("WC",Ku),sv=/(WCOD+)?/.source.replace("WCOD",nv),rv=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",Ku),ov=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",Ku),av=new RegExp("^"+iv+sv+rv+ov+"$"),lv=["material","materials","bones","map"],Su=class{constructor(t,e,n){let s=n||He.parseTrackName(e);this._targetGroup=t,this._bindings=t.subscribe_(e,s)}getValue(t,e){this.bind();let n=this._targetGroup.nCachedObjects_,s=this._bindings[n];s!==void 0&&s.getValue(t,e)}setValue(t,e){let n=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=n.length;s!==r;++s)n[s].setValue(t,e)}bind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].bind()}unbind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].unbind()}},He=class i{constructor(t,e,n){this.path=e,this.parsedPath=n||i.parseTrackName(e),this.node=i.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,e,n){return t&&t.isAnimationObjectGroup?new i.Composite(t,e,n):new i(t,e,n)}static sanitizeNodeName(t){return t.replace(/\s/g,"_").replace(ev,"")}static parseTrackName(t){let e=av.exec(t);if(e===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+t);let n={nodeName:e[2],objectName:e[3],objectIndex:e[4],propertyName:e[5],propertyIndex:e[6]},s=n.nodeName&&n.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=n.nodeName.substring(s+1);lv.indexOf(r)!==-1&&(n.nodeName=n.nodeName.substring(0,s),n.objectName=r)}if(n.propertyName===null||n.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+t);return n}static findNode(t,e){if(e===void 0||e===""||e==="."||e===-1||e===t.name||e===t.uuid)return t;if(t.skeleton){let n=t.skeleton.getBoneByName(e);if(n!==void 0)return n}if(t.children){let n=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===e||a.uuid===e)return a;let l=n(a.children);if(l)return l}return null},s=n(t.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(t,e){t[e]=this.targetObject[this.propertyName]}_getValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)t[e++]=n[s]}_getValue_arrayElement(t,e){t[e]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(t,e){this.resolvedProperty.toArray(t,e)}_setValue_direct(t,e){this.targetObject[this.propertyName]=t[e]}_setValue_direct_setNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++]}_setValue_array_setNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(t,e){this.resolvedProperty[this.propertyIndex]=t[e]}_setValue_arrayElement_setNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(t,e){this.resolvedProperty.fromArray(t,e)}_setValue_fromArray_setNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(t,e){this.bind(),this.getValue(t,e)}_setValue_unbound(t,e){this.bind(),this.setValue(t,e)}bind(){let t=this.node,e=this.parsedPath,n=e.objectName,s=e.propertyName,r=e.propertyIndex;if(t||(t=i.findNode(this.rootNode,e.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){Yt("PropertyBinding: No target node found for track: "+this.path+".");return}if(n){let c=e.objectIndex;switch(n){case"materials":if(!t.material){jt("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.materials){jt("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}t=t.material.materials;break;case"bones":if(!t.skeleton){jt("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}t=t.skeleton.bones;for(let h=0;h<t.length;h++)if(t[h].name===c){c=h;break}break;case"map":if("map"in t){t=t.map;break}if(!t.material){jt("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.map){jt("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}t=t.material.map;break;default:if(t[n]===void 0){jt("PropertyBinding: Can not bind to objectName of node undefined.",this);return}t=t[n]}if(c!==void 0){if(t[c]===void 0){jt("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,t);return}t=t[c]}}let o=t[s];if(o===void 0){let c=e.nodeName;jt("PropertyBinding: Trying to update property for track: "+c+"."+s+" but it wasn't found.",t);return}let a=this.Versioning.None;this.targetObject=t,t.isMaterial===!0?a=this.Versioning.NeedsUpdate:t.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let l=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!t.geometry){jt("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!t.geometry.morphAttributes){jt("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}t.morphTargetDictionary[r]!==void 0&&(r=t.morphTargetDictionary[r])}l=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(l=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(l=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[l],this.setValue=this.SetterByBindingTypeAndVersioning[l][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};He.Composite=Su;He.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};He.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};He.prototype.GetterByBindingType=[He.prototype._getValue_direct,He.prototype._getValue_array,He.prototype._getValue_arrayElement,He.prototype._getValue_toArray];He.prototype.SetterByBindingTypeAndVersioning=[[He.prototype._setValue_direct,He.prototype._setValue_direct_setNeedsUpdate,He.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[He.prototype._setValue_array,He.prototype._setValue_array_setNeedsUpdate,He.prototype._setValue_array_setMatrixWorldNeedsUpdate],[He.prototype._setValue_arrayElement,He.prototype._setValue_arrayElement_setNeedsUpdate,He.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[He.prototype._setValue_fromArray,He.prototype._setValue_fromArray_setNeedsUpdate,He.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var PE=new Float32Array(1);var fa=class extends Xl{constructor(t,e,n=1){super(t,e),this.isInstancedInterleavedBuffer=!0,this.meshPerAttribute=n}copy(t){return super.copy(t),this.meshPerAttribute=t.meshPerAttribute,this}clone(t){let e=super.clone(t);return e.meshPerAttribute=this.meshPerAttribute,e}toJSON(t){let e=super.toJSON(t);return e.isInstancedInterleavedBuffer=!0,e.meshPerAttribute=this.meshPerAttribute,e}};var sf=class sf{constructor(t,e,n,s){this.elements=[1,0,0,1],t!==void 0&&this.set(t,e,n,s)}identity(){return this.set(1,0,0,1),this}fromArray(t,e=0){for(let n=0;n<4;n++)this.elements[n]=t[n+e];return this}set(t,e,n,s){let r=this.elements;return r[0]=t,r[2]=e,r[1]=n,r[3]=s,this}};sf.prototype.isMatrix2=!0;var bu=sf;function ju(i,t,e,n){let s=cv(n);switch(e){case Vu:return i*t;case vc:return i*t/s.components*s.byteLength;case yc:return i*t/s.components*s.byteLength;case Xs:return i*t*2/s.components*s.byteLength;case Mc:return i*t*2/s.components*s.byteLength;case Gu:return i*t*3/s.components*s.byteLength;case Ni:return i*t*4/s.components*s.byteLength;case Sc:return i*t*4/s.components*s.byteLength;case va:case ya:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case Ma:case Sa:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case wc:case Ac:return Math.max(i,16)*Math.max(t,8)/4;case bc:case Tc:return Math.max(i,8)*Math.max(t,8)/2;case Ec:case Rc:case Pc:case Ic:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case Cc:case ba:case Lc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Nc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Dc:return Math.floor((i+4)/5)*Math.floor((t+3)/4)*16;case Uc:return Math.floor((i+4)/5)*Math.floor((t+4)/5)*16;case Fc:return Math.floor((i+5)/6)*Math.floor((t+4)/5)*16;case Oc:return Math.floor((i+5)/6)*Math.floor((t+5)/6)*16;case Bc:return Math.floor((i+7)/8)*Math.floor((t+4)/5)*16;case kc:return Math.floor((i+7)/8)*Math.floor((t+5)/6)*16;case zc:return Math.floor((i+7)/8)*Math.floor((t+7)/8)*16;case Vc:return Math.floor((i+9)/10)*Math.floor((t+4)/5)*16;case Gc:return Math.floor((i+9)/10)*Math.floor((t+5)/6)*16;case Hc:return Math.floor((i+9)/10)*Math.floor((t+7)/8)*16;case Wc:return Math.floor((i+9)/10)*Math.floor((t+9)/10)*16;case Xc:return Math.floor((i+11)/12)*Math.floor((t+9)/10)*16;case qc:return Math.floor((i+11)/12)*Math.floor((t+11)/12)*16;case Yc:case $c:case Zc:return Math.ceil(i/4)*Math.ceil(t/4)*16;case Jc:case Kc:return Math.ceil(i/4)*Math.ceil(t/4)*8;case wa:case jc:return Math.ceil(i/4)*Math.ceil(t/4)*16}throw new Error(`Unable to determine texture byte length for ${e} format.`)}function cv(i){switch(i){case li:case Ou:return{byteLength:1,components:1};case co:case Bu:case Li:return{byteLength:2,components:1};case xc:case _c:return{byteLength:2,components:4};case Ii:case gc:case xi:return{byteLength:4,components:1};case ku:case zu:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?Yt("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");function Bm(){let i=null,t=!1,e=null,n=null;function s(r,o){n=i.requestAnimationFrame(s),e(r,o)}return{start:function(){t!==!0&&e!==null&&i!==null&&(n=i.requestAnimationFrame(s),t=!0)},stop:function(){i!==null&&i.cancelAnimationFrame(n),t=!1},setAnimationLoop:function(r){e=r},setContext:function(r){i=r}}}function uv(i){let t=new WeakMap;function e(a,l){let c=a.array,h=a.usage,u=c.byteLength,f=i.createBuffer();i.bindBuffer(l,f),i.bufferData(l,c,h),a.onUploadCallback();let d;if(c instanceof Float32Array)d=i.FLOAT;else if(typeof Float16Array<"u"&&c instanceof Float16Array)d=i.HALF_FLOAT;else if(c instanceof Uint16Array)a.isFloat16BufferAttribute?d=i.HALF_FLOAT:d=i.UNSIGNED_SHORT;else if(c instanceof Int16Array)d=i.SHORT;else if(c instanceof Uint32Array)d=i.UNSIGNED_INT;else if(c instanceof Int32Array)d=i.INT;else if(c instanceof Int8Array)d=i.BYTE;else if(c instanceof Uint8Array)d=i.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)d=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:f,type:d,bytesPerElement:c.BYTES_PER_ELEMENT,version:a.version,size:u}}function n(a,l,c){let h=l.array,u=l.updateRanges;if(i.bindBuffer(c,a),u.length===0)i.bufferSubData(c,0,h);else{u.sort((d,g)=>d.start-g.start);let f=0;for(let d=1;d<u.length;d++){let g=u[f],v=u[d];v.start<=g.start+g.count+1?g.count=Math.max(g.count,v.start+v.count-g.start):(++f,u[f]=v)}u.length=f+1;for(let d=0,g=u.length;d<g;d++){let v=u[d];i.bufferSubData(c,v.start*h.BYTES_PER_ELEMENT,h,v.start,v.count)}l.clearUpdateRanges()}l.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),t.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let l=t.get(a);l&&(i.deleteBuffer(l.buffer),t.delete(a))}function o(a,l){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let h=t.get(a);(!h||h.version<a.version)&&t.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let c=t.get(a);if(c===void 0)t.set(a,e(a,l));else if(c.version<a.version){if(c.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(c.buffer,a,l),c.version=a.version}}return{get:s,remove:r,update:o}}var fv=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,dv=`#ifdef USE_ALPHAHASH
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
#endif`,pv=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,mv=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,gv=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,xv=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,_v=`#ifdef USE_AOMAP
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
#endif`,vv=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,yv=`#ifdef USE_BATCHING
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
#endif`,Mv=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,Sv=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,bv=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,wv=`float G_BlinnPhong_Implicit( ) {
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
} // validated`,Tv=`#ifdef USE_IRIDESCENCE
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
#endif`,Av=`#ifdef USE_BUMPMAP
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
#endif`,Ev=`#if NUM_CLIPPING_PLANES > 0
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
#endif`,Rv=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,Cv=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,Pv=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,Iv=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,Lv=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,Nv=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,Dv=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
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
#endif`,Uv=`#define PI 3.141592653589793
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
} // validated`,Fv=`vec3 transformedNormal = objectNormal;
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
#endif`,Ov=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,Bv=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,kv=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,zv=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,Vv="gl_FragColor = linearToOutputTexel( gl_FragColor );",Gv=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,Hv=`#ifdef USE_ENVMAP
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
#endif`,Wv=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,Xv=`#ifdef USE_ENVMAP
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
#endif`,qv=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,Yv=`#ifdef USE_ENVMAP
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
#endif`,$v=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,Zv=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,Jv=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,Kv=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,jv=`#ifdef USE_GRADIENTMAP
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
}`,Qv=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,ty=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,ey=`varying vec3 vViewPosition;
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
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,ny=`uniform bool receiveShadow;
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
#include <lightprobes_pars_fragment>`,iy=`#ifdef USE_ENVMAP
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
#endif`,sy=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,ry=`varying vec3 vViewPosition;
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
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,oy=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,ay=`varying vec3 vViewPosition;
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
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,ly=`PhysicalMaterial material;
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
#endif`,cy=`uniform sampler2D dfgLUT;
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
}`,hy=`
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
#endif`,uy=`#if defined( RE_IndirectDiffuse )
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
#endif`,fy=`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,dy=`#if NUM_LIGHT_PROBE_GRIDS > 0
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
#endif`,py=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,my=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,gy=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,xy=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,_y=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,vy=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,yy=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
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
#endif`,My=`#if defined( USE_POINTS_UV )
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
#endif`,Sy=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,by=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,wy=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,Ty=`#if defined( USE_MORPHCOLORS )
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
#endif`,Ay=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,Ey=`#ifdef USE_MORPHTARGETS
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
#endif`,Ry=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,Cy=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
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
vec3 nonPerturbedNormal = normal;`,Py=`#ifdef USE_NORMALMAP_OBJECTSPACE
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
#endif`,Iy=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,Ly=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,Ny=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,Dy=`#ifdef USE_NORMALMAP
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
#endif`,Uy=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,Fy=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,Oy=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,By=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,ky=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,zy=`vec3 packNormalToRGB( const in vec3 normal ) {
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
}`,Vy=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,Gy=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,Hy=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,Wy=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,Xy=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,qy=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,Yy=`#if NUM_SPOT_LIGHT_COORDS > 0
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
#endif`,$y=`#if NUM_SPOT_LIGHT_COORDS > 0
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
#endif`,Zy=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
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
#endif`,Jy=`float getShadowMask() {
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
}`,Ky=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,jy=`#ifdef USE_SKINNING
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
#endif`,Qy=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,tM=`#ifdef USE_SKINNING
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
#endif`,eM=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,nM=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,iM=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,sM=`#ifndef saturate
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
vec3 CustomToneMapping( vec3 color ) { return color; }`,rM=`#ifdef USE_TRANSMISSION
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
#endif`,oM=`#ifdef USE_TRANSMISSION
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
#endif`,aM=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
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
#endif`,lM=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
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
#endif`,cM=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
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
#endif`,hM=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,uM=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,fM=`uniform sampler2D t2D;
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
}`,dM=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,pM=`uniform float backgroundBlurriness;
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
}`,mM=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,gM=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,xM=`#include <common>
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
}`,_M=`#if DEPTH_PACKING == 3200
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
}`,vM=`#define DISTANCE
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
}`,yM=`#define DISTANCE
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
}`,MM=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,SM=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,bM=`uniform float scale;
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
}`,wM=`uniform vec3 diffuse;
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
}`,TM=`#include <common>
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
}`,AM=`uniform vec3 diffuse;
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
}`,EM=`#define LAMBERT
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
}`,RM=`#define LAMBERT
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
}`,CM=`#define MATCAP
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
}`,PM=`#define MATCAP
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
}`,IM=`#define NORMAL
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
}`,LM=`#define NORMAL
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
}`,NM=`#define PHONG
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
}`,DM=`#define PHONG
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
}`,UM=`#define STANDARD
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
}`,FM=`#define STANDARD
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
}`,OM=`#define TOON
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
}`,BM=`#define TOON
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
}`,kM=`uniform float size;
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
}`,zM=`uniform vec3 diffuse;
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
}`,VM=`#include <common>
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
}`,GM=`uniform vec3 color;
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
}`,HM=`uniform float rotation;
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
}`,WM=`uniform vec3 diffuse;
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
}`,ae={alphahash_fragment:fv,alphahash_pars_fragment:dv,alphamap_fragment:pv,alphamap_pars_fragment:mv,alphatest_fragment:gv,alphatest_pars_fragment:xv,aomap_fragment:_v,aomap_pars_fragment:vv,batching_pars_vertex:yv,batching_vertex:Mv,begin_vertex:Sv,beginnormal_vertex:bv,bsdfs:wv,iridescence_fragment:Tv,bumpmap_pars_fragment:Av,clipping_planes_fragment:Ev,clipping_planes_pars_fragment:Rv,clipping_planes_pars_vertex:Cv,clipping_planes_vertex:Pv,color_fragment:Iv,color_pars_fragment:Lv,color_pars_vertex:Nv,color_vertex:Dv,common:Uv,defaultnormal_vertex:Fv,displacementmap_pars_vertex:Ov,displacementmap_vertex:Bv,emissivemap_fragment:kv,emissivemap_pars_fragment:zv,colorspace_fragment:Vv,colorspace_pars_fragment:Gv,envmap_fragment:Hv,envmap_common_pars_fragment:Wv,envmap_pars_fragment:Xv,envmap_pars_vertex:qv,envmap_physical_pars_fragment:iy,envmap_vertex:Yv,fog_vertex:$v,fog_pars_vertex:Zv,fog_fragment:Jv,fog_pars_fragment:Kv,gradientmap_pars_fragment:jv,lightmap_pars_fragment:Qv,lights_lambert_fragment:ty,lights_lambert_pars_fragment:ey,lights_pars_begin:ny,lights_toon_fragment:sy,lights_toon_pars_fragment:ry,lights_phong_fragment:oy,lights_phong_pars_fragment:ay,lights_physical_fragment:ly,lights_physical_pars_fragment:cy,lights_fragment_begin:hy,lights_fragment_maps:uy,lights_fragment_end:fy,lightprobes_pars_fragment:dy,logdepthbuf_fragment:py,logdepthbuf_pars_fragment:my,logdepthbuf_pars_vertex:gy,logdepthbuf_vertex:xy,map_fragment:_y,map_pars_fragment:vy,map_particle_fragment:yy,map_particle_pars_fragment:My,metalnessmap_fragment:Sy,metalnessmap_pars_fragment:by,morphinstance_vertex:wy,morphcolor_vertex:Ty,morphnormal_vertex:Ay,morphtarget_pars_vertex:Ey,morphtarget_vertex:Ry,normal_fragment_begin:Cy,normal_fragment_maps:Py,normal_pars_fragment:Iy,normal_pars_vertex:Ly,normal_vertex:Ny,normalmap_pars_fragment:Dy,clearcoat_normal_fragment_begin:Uy,clearcoat_normal_fragment_maps:Fy,clearcoat_pars_fragment:Oy,iridescence_pars_fragment:By,opaque_fragment:ky,packing:zy,premultiplied_alpha_fragment:Vy,project_vertex:Gy,dithering_fragment:Hy,dithering_pars_fragment:Wy,roughnessmap_fragment:Xy,roughnessmap_pars_fragment:qy,shadowmap_pars_fragment:Yy,shadowmap_pars_vertex:$y,shadowmap_vertex:Zy,shadowmask_pars_fragment:Jy,skinbase_vertex:Ky,skinning_pars_vertex:jy,skinning_vertex:Qy,skinnormal_vertex:tM,specularmap_fragment:eM,specularmap_pars_fragment:nM,tonemapping_fragment:iM,tonemapping_pars_fragment:sM,transmission_fragment:rM,transmission_pars_fragment:oM,uv_pars_fragment:aM,uv_pars_vertex:lM,uv_vertex:cM,worldpos_vertex:hM,background_vert:uM,background_frag:fM,backgroundCube_vert:dM,backgroundCube_frag:pM,cube_vert:mM,cube_frag:gM,depth_vert:xM,depth_frag:_M,distance_vert:vM,distance_frag:yM,equirect_vert:MM,equirect_frag:SM,linedashed_vert:bM,linedashed_frag:wM,meshbasic_vert:TM,meshbasic_frag:AM,meshlambert_vert:EM,meshlambert_frag:RM,meshmatcap_vert:CM,meshmatcap_frag:PM,meshnormal_vert:IM,meshnormal_frag:LM,meshphong_vert:NM,meshphong_frag:DM,meshphysical_vert:UM,meshphysical_frag:FM,meshtoon_vert:OM,meshtoon_frag:BM,points_vert:kM,points_frag:zM,shadow_vert:VM,shadow_frag:GM,sprite_vert:HM,sprite_frag:WM},Lt={common:{diffuse:{value:new me(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new Qt},alphaMap:{value:null},alphaMapTransform:{value:new Qt},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new Qt}},envmap:{envMap:{value:null},envMapRotation:{value:new Qt},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new Qt}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new Qt}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new Qt},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new Qt},normalScale:{value:new pe(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new Qt},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new Qt}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new Qt}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new Qt}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new me(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new me(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new Qt},alphaTest:{value:0},uvTransform:{value:new Qt}},sprite:{diffuse:{value:new me(16777215)},opacity:{value:1},center:{value:new pe(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new Qt},alphaMap:{value:null},alphaMapTransform:{value:new Qt},alphaTest:{value:0}}},ts={basic:{uniforms:Fn([Lt.common,Lt.specularmap,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.fog]),vertexShader:ae.meshbasic_vert,fragmentShader:ae.meshbasic_frag},lambert:{uniforms:Fn([Lt.common,Lt.specularmap,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.fog,Lt.lights,{emissive:{value:new me(0)},envMapIntensity:{value:1}}]),vertexShader:ae.meshlambert_vert,fragmentShader:ae.meshlambert_frag},phong:{uniforms:Fn([Lt.common,Lt.specularmap,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.fog,Lt.lights,{emissive:{value:new me(0)},specular:{value:new me(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:ae.meshphong_vert,fragmentShader:ae.meshphong_frag},standard:{uniforms:Fn([Lt.common,Lt.envmap,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.roughnessmap,Lt.metalnessmap,Lt.fog,Lt.lights,{emissive:{value:new me(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:ae.meshphysical_vert,fragmentShader:ae.meshphysical_frag},toon:{uniforms:Fn([Lt.common,Lt.aomap,Lt.lightmap,Lt.emissivemap,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.gradientmap,Lt.fog,Lt.lights,{emissive:{value:new me(0)}}]),vertexShader:ae.meshtoon_vert,fragmentShader:ae.meshtoon_frag},matcap:{uniforms:Fn([Lt.common,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,Lt.fog,{matcap:{value:null}}]),vertexShader:ae.meshmatcap_vert,fragmentShader:ae.meshmatcap_frag},points:{uniforms:Fn([Lt.points,Lt.fog]),vertexShader:ae.points_vert,fragmentShader:ae.points_frag},dashed:{uniforms:Fn([Lt.common,Lt.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:ae.linedashed_vert,fragmentShader:ae.linedashed_frag},depth:{uniforms:Fn([Lt.common,Lt.displacementmap]),vertexShader:ae.depth_vert,fragmentShader:ae.depth_frag},normal:{uniforms:Fn([Lt.common,Lt.bumpmap,Lt.normalmap,Lt.displacementmap,{opacity:{value:1}}]),vertexShader:ae.meshnormal_vert,fragmentShader:ae.meshnormal_frag},sprite:{uniforms:Fn([Lt.sprite,Lt.fog]),vertexShader:ae.sprite_vert,fragmentShader:ae.sprite_frag},background:{uniforms:{uvTransform:{value:new Qt},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:ae.background_vert,fragmentShader:ae.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new Qt}},vertexShader:ae.backgroundCube_vert,fragmentShader:ae.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:ae.cube_vert,fragmentShader:ae.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:ae.equirect_vert,fragmentShader:ae.equirect_frag},distance:{uniforms:Fn([Lt.common,Lt.displacementmap,{referencePosition:{value:new $},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:ae.distance_vert,fragmentShader:ae.distance_frag},shadow:{uniforms:Fn([Lt.lights,Lt.fog,{color:{value:new me(0)},opacity:{value:1}}]),vertexShader:ae.shadow_vert,fragmentShader:ae.shadow_frag}};ts.physical={uniforms:Fn([ts.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new Qt},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new Qt},clearcoatNormalScale:{value:new pe(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new Qt},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new Qt},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new Qt},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new Qt},sheen:{value:0},sheenColor:{value:new me(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new Qt},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new Qt},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new Qt},transmissionSamplerSize:{value:new pe},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new Qt},attenuationDistance:{value:0},attenuationColor:{value:new me(0)},specularColor:{value:new me(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new Qt},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new Qt},anisotropyVector:{value:new pe},anisotropyMap:{value:null},anisotropyMapTransform:{value:new Qt}}]),vertexShader:ae.meshphysical_vert,fragmentShader:ae.meshphysical_frag};var th={r:0,b:0,g:0},XM=new Ie,km=new Qt;km.set(-1,0,0,0,1,0,0,0,1);function qM(i,t,e,n,s,r){let o=new me(0),a=s===!0?0:1,l,c,h=null,u=0,f=null;function d(S){let y=S.isScene===!0?S.background:null;if(y&&y.isTexture){let M=S.backgroundBlurriness>0;y=t.get(y,M)}return y}function g(S){let y=!1,M=d(S);M===null?m(o,a):M&&M.isColor&&(m(M,1),y=!0);let R=i.xr.getEnvironmentBlendMode();R==="additive"?e.buffers.color.setClear(0,0,0,1,r):R==="alpha-blend"&&e.buffers.color.setClear(0,0,0,0,r),(i.autoClear||y)&&(e.buffers.depth.setTest(!0),e.buffers.depth.setMask(!0),e.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function v(S,y){let M=d(y);M&&M.isCubeTexture?(c===void 0&&(c=new Dn(new io(1,1,1),new Un({name:"BackgroundCubeMaterial",uniforms:ur(ts.backgroundCube.uniforms),vertexShader:ts.backgroundCube.vertexShader,fragmentShader:ts.backgroundCube.fragmentShader,side:Yn,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),c.geometry.deleteAttribute("uv"),c.onBeforeRender=function(R,A,x){this.matrixWorld.copyPosition(x.matrixWorld)},Object.defineProperty(c.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),n.update(c)),c.material.uniforms.envMap.value=M,c.material.uniforms.backgroundBlurriness.value=y.backgroundBlurriness,c.material.uniforms.backgroundIntensity.value=y.backgroundIntensity,c.material.uniforms.backgroundRotation.value.setFromMatrix4(XM.makeRotationFromEuler(y.backgroundRotation)).transpose(),M.isRenderTargetTexture===!1&&c.material.uniforms.backgroundRotation.value.premultiply(km),c.material.toneMapped=de.getTransfer(M.colorSpace)!==we,(h!==M||u!==M.version||f!==i.toneMapping)&&(c.material.needsUpdate=!0,h=M,u=M.version,f=i.toneMapping),c.layers.enableAll(),S.unshift(c,c.geometry,c.material,0,0,null)):M&&M.isTexture&&(l===void 0&&(l=new Dn(new aa(2,2),new Un({name:"BackgroundMaterial",uniforms:ur(ts.background.uniforms),vertexShader:ts.background.vertexShader,fragmentShader:ts.background.fragmentShader,side:Ki,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),Object.defineProperty(l.material,"map",{get:function(){return this.uniforms.t2D.value}}),n.update(l)),l.material.uniforms.t2D.value=M,l.material.uniforms.backgroundIntensity.value=y.backgroundIntensity,l.material.toneMapped=de.getTransfer(M.colorSpace)!==we,M.matrixAutoUpdate===!0&&M.updateMatrix(),l.material.uniforms.uvTransform.value.copy(M.matrix),(h!==M||u!==M.version||f!==i.toneMapping)&&(l.material.needsUpdate=!0,h=M,u=M.version,f=i.toneMapping),l.layers.enableAll(),S.unshift(l,l.geometry,l.material,0,0,null))}function m(S,y){S.getRGB(th,Zu(i)),e.buffers.color.setClear(th.r,th.g,th.b,y,r)}function p(){c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0),l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0)}return{getClearColor:function(){return o},setClearColor:function(S,y=1){o.set(S),a=y,m(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(S){a=S,m(o,a)},render:g,addToRenderList:v,dispose:p}}function YM(i,t){let e=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=f(null),r=s,o=!1;function a(L,H,W,N,G){let J=!1,V=u(L,N,W,H);r!==V&&(r=V,c(r.object)),J=d(L,N,W,G),J&&g(L,N,W,G),G!==null&&t.update(G,i.ELEMENT_ARRAY_BUFFER),(J||o)&&(o=!1,M(L,H,W,N),G!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,t.get(G).buffer))}function l(){return i.createVertexArray()}function c(L){return i.bindVertexArray(L)}function h(L){return i.deleteVertexArray(L)}function u(L,H,W,N){let G=N.wireframe===!0,J=n[H.id];J===void 0&&(J={},n[H.id]=J);let V=L.isInstancedMesh===!0?L.id:0,ct=J[V];ct===void 0&&(ct={},J[V]=ct);let K=ct[W.id];K===void 0&&(K={},ct[W.id]=K);let Q=K[G];return Q===void 0&&(Q=f(l()),K[G]=Q),Q}function f(L){let H=[],W=[],N=[];for(let G=0;G<e;G++)H[G]=0,W[G]=0,N[G]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:H,enabledAttributes:W,attributeDivisors:N,object:L,attributes:{},index:null}}function d(L,H,W,N){let G=r.attributes,J=H.attributes,V=0,ct=W.getAttributes();for(let K in ct)if(ct[K].location>=0){let st=G[K],ft=J[K];if(ft===void 0&&(K==="instanceMatrix"&&L.instanceMatrix&&(ft=L.instanceMatrix),K==="instanceColor"&&L.instanceColor&&(ft=L.instanceColor)),st===void 0||st.attribute!==ft||ft&&st.data!==ft.data)return!0;V++}return r.attributesNum!==V||r.index!==N}function g(L,H,W,N){let G={},J=H.attributes,V=0,ct=W.getAttributes();for(let K in ct)if(ct[K].location>=0){let st=J[K];st===void 0&&(K==="instanceMatrix"&&L.instanceMatrix&&(st=L.instanceMatrix),K==="instanceColor"&&L.instanceColor&&(st=L.instanceColor));let ft={};ft.attribute=st,st&&st.data&&(ft.data=st.data),G[K]=ft,V++}r.attributes=G,r.attributesNum=V,r.index=N}function v(){let L=r.newAttributes;for(let H=0,W=L.length;H<W;H++)L[H]=0}function m(L){p(L,0)}function p(L,H){let W=r.newAttributes,N=r.enabledAttributes,G=r.attributeDivisors;W[L]=1,N[L]===0&&(i.enableVertexAttribArray(L),N[L]=1),G[L]!==H&&(i.vertexAttribDivisor(L,H),G[L]=H)}function S(){let L=r.newAttributes,H=r.enabledAttributes;for(let W=0,N=H.length;W<N;W++)H[W]!==L[W]&&(i.disableVertexAttribArray(W),H[W]=0)}function y(L,H,W,N,G,J,V){V===!0?i.vertexAttribIPointer(L,H,W,G,J):i.vertexAttribPointer(L,H,W,N,G,J)}function M(L,H,W,N){v();let G=N.attributes,J=W.getAttributes(),V=H.defaultAttributeValues;for(let ct in J){let K=J[ct];if(K.location>=0){let Q=G[ct];if(Q===void 0&&(ct==="instanceMatrix"&&L.instanceMatrix&&(Q=L.instanceMatrix),ct==="instanceColor"&&L.instanceColor&&(Q=L.instanceColor)),Q!==void 0){let st=Q.normalized,ft=Q.itemSize,ut=t.get(Q);if(ut===void 0)continue;let tt=ut.buffer,mt=ut.type,_t=ut.bytesPerElement,Et=mt===i.INT||mt===i.UNSIGNED_INT||Q.gpuType===gc;if(Q.isInterleavedBufferAttribute){let St=Q.data,Ht=St.isInterleavedBuffer===!0?St.stride:St.itemSize,ne=Q.offset;if(St.isInstancedInterleavedBuffer||St.isInstancedBufferAttribute){for(let Vt=0;Vt<K.locationSize;Vt++)p(K.location+Vt,St.meshPerAttribute);L.isInstancedMesh!==!0&&N._maxInstanceCount===void 0&&(N._maxInstanceCount=St.meshPerAttribute*St.count)}else for(let Vt=0;Vt<K.locationSize;Vt++)m(K.location+Vt);i.bindBuffer(i.ARRAY_BUFFER,tt);for(let Vt=0;Vt<K.locationSize;Vt++)y(K.location+Vt,ft/K.locationSize,mt,st,Ht*_t,(ne+ft/K.locationSize*Vt)*_t,Et)}else{if(Q.isInstancedBufferAttribute){for(let St=0;St<K.locationSize;St++)p(K.location+St,Q.meshPerAttribute);L.isInstancedMesh!==!0&&N._maxInstanceCount===void 0&&(N._maxInstanceCount=Q.meshPerAttribute*Q.count)}else for(let St=0;St<K.locationSize;St++)m(K.location+St);i.bindBuffer(i.ARRAY_BUFFER,tt);for(let St=0;St<K.locationSize;St++)y(K.location+St,ft/K.locationSize,mt,st,ft*_t,ft/K.locationSize*St*_t,Et)}}else if(V!==void 0){let st=V[ct];if(st!==void 0)switch(st.length){case 2:i.vertexAttrib2fv(K.location,st);break;case 3:i.vertexAttrib3fv(K.location,st);break;case 4:i.vertexAttrib4fv(K.location,st);break;default:i.vertexAttrib1fv(K.location,st)}}}}S()}function R(){z();for(let L in n){let H=n[L];for(let W in H){let N=H[W];for(let G in N){let J=N[G];for(let V in J)h(J[V].object),delete J[V];delete N[G]}}delete n[L]}}function A(L){if(n[L.id]===void 0)return;let H=n[L.id];for(let W in H){let N=H[W];for(let G in N){let J=N[G];for(let V in J)h(J[V].object),delete J[V];delete N[G]}}delete n[L.id]}function x(L){for(let H in n){let W=n[H];for(let N in W){let G=W[N];if(G[L.id]===void 0)continue;let J=G[L.id];for(let V in J)h(J[V].object),delete J[V];delete G[L.id]}}}function E(L){for(let H in n){let W=n[H],N=L.isInstancedMesh===!0?L.id:0,G=W[N];if(G!==void 0){for(let J in G){let V=G[J];for(let ct in V)h(V[ct].object),delete V[ct];delete G[J]}delete W[N],Object.keys(W).length===0&&delete n[H]}}}function z(){U(),o=!0,r!==s&&(r=s,c(r.object))}function U(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:z,resetDefaultState:U,dispose:R,releaseStatesOfGeometry:A,releaseStatesOfObject:E,releaseStatesOfProgram:x,initAttributes:v,enableAttribute:m,disableUnusedAttributes:S}}function $M(i,t,e){let n;function s(l){n=l}function r(l,c){i.drawArrays(n,l,c),e.update(c,n,1)}function o(l,c,h){h!==0&&(i.drawArraysInstanced(n,l,c,h),e.update(c,n,h))}function a(l,c,h){if(h===0)return;t.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,l,0,c,0,h);let f=0;for(let d=0;d<h;d++)f+=c[d];e.update(f,n,1)}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function ZM(i,t,e,n){let s;function r(){if(s!==void 0)return s;if(t.has("EXT_texture_filter_anisotropic")===!0){let x=t.get("EXT_texture_filter_anisotropic");s=i.getParameter(x.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(x){return!(x!==Ni&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(x){let E=x===Li&&(t.has("EXT_color_buffer_half_float")||t.has("EXT_color_buffer_float"));return!(x!==li&&x!==xi&&!E&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE))}function l(x){if(x==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";x="mediump"}return x==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=e.precision!==void 0?e.precision:"highp",h=l(c);h!==c&&(Yt("WebGLRenderer:",c,"not supported, using",h,"instead."),c=h);let u=e.reversedDepthBuffer===!0&&t.has("EXT_clip_control"),f=e.logarithmicDepthBuffer===!0&&u===!1;e.reversedDepthBuffer===!0&&u===!1&&Yt("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),e.logarithmicDepthBuffer===!0&&u===!0&&Yt("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let d=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),g=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),v=i.getParameter(i.MAX_TEXTURE_SIZE),m=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),p=i.getParameter(i.MAX_VERTEX_ATTRIBS),S=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),y=i.getParameter(i.MAX_VARYING_VECTORS),M=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),R=i.getParameter(i.MAX_SAMPLES),A=i.getParameter(i.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:o,textureTypeReadable:a,precision:c,logarithmicDepthBuffer:f,reversedDepthBuffer:u,maxTextures:d,maxVertexTextures:g,maxTextureSize:v,maxCubemapSize:m,maxAttributes:p,maxVertexUniforms:S,maxVaryings:y,maxFragmentUniforms:M,maxSamples:R,samples:A}}function JM(i){let t=this,e=null,n=0,s=!1,r=!1,o=new Pi,a=new Qt,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(u,f){let d=u.length!==0||f||n!==0||s;return s=f,n=u.length,d},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(u,f){e=h(u,f,0)},this.setState=function(u,f,d){let g=u.clippingPlanes,v=u.clipIntersection,m=u.clipShadows,p=i.get(u);if(!s||g===null||g.length===0||r&&!m)r?h(null):c();else{let S=r?0:n,y=S*4,M=p.clippingState||null;l.value=M,M=h(g,f,y,d);for(let R=0;R!==y;++R)M[R]=e[R];p.clippingState=M,this.numIntersection=v?this.numPlanes:0,this.numPlanes+=S}};function c(){l.value!==e&&(l.value=e,l.needsUpdate=n>0),t.numPlanes=n,t.numIntersection=0}function h(u,f,d,g){let v=u!==null?u.length:0,m=null;if(v!==0){if(m=l.value,g!==!0||m===null){let p=d+v*4,S=f.matrixWorldInverse;a.getNormalMatrix(S),(m===null||m.length<p)&&(m=new Float32Array(p));for(let y=0,M=d;y!==v;++y,M+=4)o.copy(u[y]).applyMatrix4(S,a),o.normal.toArray(m,M),m[M+3]=o.constant}l.value=m,l.needsUpdate=!0}return t.numPlanes=v,t.numIntersection=0,m}}var Ea=class extends ri{constructor(t=1,e={}){super(t,t,e),this.isWebGLCubeRenderTarget=!0;let n={width:t,height:t,depth:1},s=[n,n,n,n,n,n];this.texture=new ia(s),this._setTextureOptions(e),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(t,e){this.texture.type=e.type,this.texture.colorSpace=e.colorSpace,this.texture.generateMipmaps=e.generateMipmaps,this.texture.minFilter=e.minFilter,this.texture.magFilter=e.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

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
			`},s=new io(5,5,5),r=new Un({name:"CubemapFromEquirect",uniforms:ur(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:Yn,blending:ar});r.uniforms.tEquirect.value=e;let o=new Dn(s,r),a=e.minFilter;return e.minFilter===ys&&(e.minFilter=qn),new ro(1,10,this).update(t,o),e.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(t,e=!0,n=!0,s=!0){let r=t.getRenderTarget();for(let o=0;o<6;o++)t.setRenderTarget(this,o),t.clear(e,n,s);t.setRenderTarget(r)}},xm=256,KM=3,jM=20,zm=256,Vm=16,QM=3,tS=new $,eS=new me,nh=class i{constructor(t){this._renderer=t,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new ro(1,10,null),this._boxMesh=new Dn(new io(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(t,e=0,n=.1,s=100,r={}){let{size:o=256,position:a=tS}=r,l=this._renderer;this._setSize(o);let c=this._allocateTarget(),h=this._getSourceTarget(!0);e>0&&(h.texture.mipmapsAutoUpdate=!1);let u=l.autoClear,f=l.autoClearColor,d=l.autoClearDepth,g=l.autoClearStencil,v=t.background;l.autoClear=!0,l.autoClearColor=!0,l.autoClearDepth=!0,l.autoClearStencil=!0,v===null&&(t.background=l.getClearColor(eS));let m=new ro(n,s,h);return m.position.copy(a),m.update(l,t),l.autoClear=u,l.autoClearColor=f,l.autoClearDepth=d,l.autoClearStencil=g,t.background=v,e>0&&(h.texture.mipmapsAutoUpdate=!0,this._blur(c,e)),this._applyPMREM(c),c}fromEquirectangular(t,e=null){return this._fromTexture(t,e)}fromCubemap(t,e=null){return this._fromTexture(t,e)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=ym(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=vm(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(t,e){return e>0?1-Math.sqrt(1-t/e):0}_setSize(t){this._cubeSize=Math.max(xm,hm(t))}_fromTexture(t,e){t.mapping===lr||t.mapping===lo?this._setSize(t.image.length===0?xm:t.image[0].width||t.image[0].image.width):this._setSize(t.image.width/4);let n=e||this._allocateTarget();return this._textureToCubemap(t),this._applyPMREM(n),n}_allocateTarget(){let t=this._cubeSize,e=_m(t,!1,!1),n=Math.log2(t)-KM;for(let s=0;s<=n;s++)e.texture.mipmaps.push({width:t>>s,height:t>>s});return e.texture.name="PMREM",e.texture.isPMREMTexture=!0,e}_getSourceTarget(t=!1){let e=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==e||t&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=_m(e,!0,t)),this._sourceTarget}_compileMaterial(t){this._boxMesh.material=t,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(t,e,n){let s=this._boxMesh,r=this._cubeCamera;s.material=n,r.renderTarget=t,r.activeMipmapLevel=e;let o=t.width>>e;t.viewport.set(0,0,o,o),r.update(this._renderer,s),t.viewport.set(0,0,t.width,t.height)}_textureToCubemap(t){let e;t.mapping===lr||t.mapping===lo?(this._cubemapMaterial===null&&(this._cubemapMaterial=ym()),e=this._cubemapMaterial,e.uniforms.flipEnvMap.value=t.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=vm()),e=this._equirectMaterial),e.uniforms.envMap.value=t,this._renderCube(this._getSourceTarget(),0,e)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=nS(),this._integrationMaterial=iS());let e=this._cubeSize,n=t.texture.mipmaps.length-1,s=this._ggxMaterial.uniforms;s.envMap.value=this._sourceTarget.texture;let r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(e/Vm);for(let o=0;o<=n;o++){let a=i.lodToRoughness(o,n);if(o>n-QM)r.roughness.value=a,this._renderCube(t,o,this._integrationMaterial);else{let l=a>0?Math.log2(e)+.5*Math.log2(6/(zm*Math.pow(a,4)))+.5:0;s.roughness.value=a,s.lodBias.value=l,this._renderCube(t,o,this._ggxMaterial)}}}_blur(t,e){this._blurMaterial===null&&(this._blurMaterial=sS());let n=this._blurMaterial,s=n.uniforms,r=this._sourceTarget;s.sigma.value=Math.min(e,Math.PI)/Math.SQRT2,s.envMap.value=r.texture,this._renderCube(t,0,n),s.envMap.value=t.texture,this._renderCube(r,0,n)}};function _m(i,t,e){return new Ea(i,{minFilter:ys,generateMipmaps:t,type:Li,colorSpace:gs,depthBuffer:e})}function Ra(i,t,e){return new Un({name:i,uniforms:t,vertexShader:ae.cube_vert,fragmentShader:e,side:Yn,blending:ar,depthTest:!1,depthWrite:!1})}function nS(){return Ra("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${zm}u

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
	`)}function iS(){return Ra("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:Vm}},`

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
	`)}function sS(){return Ra("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${jM}
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
	`)}function vm(){return Ra("PMREMEquirectangularToCubemap",{envMap:{value:null}},`

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
	`)}function ym(){return Ra("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function rS(i){let t=new WeakMap,e=new WeakMap,n=null;function s(f,d=!1){return f==null?null:d?o(f):r(f)}function r(f){if(f&&f.isTexture){let d=f.mapping;if(d===dc||d===pc)if(t.has(f)){let g=t.get(f).texture;return a(g,f.mapping)}else{let g=f.image;if(g&&g.height>0){let v=new Ea(g.height);return v.fromEquirectangularTexture(i,f),t.set(f,v),f.addEventListener("dispose",c),a(v.texture,f.mapping)}else return null}}return f}function o(f){if(f&&f.isTexture&&f.isPMREMTexture!==!0){let d=f.mapping,g=d===dc||d===pc,v=d===lr||d===lo;if(g||v){let m=e.get(f),p=m!==void 0?m.texture.pmremVersion:0;if(f.isRenderTargetTexture&&f.pmremVersion!==p)return n===null&&(n=new nh(i)),m=g?n.fromEquirectangular(f,m):n.fromCubemap(f,m),m.texture.pmremVersion=f.pmremVersion,e.set(f,m),m.texture;if(m!==void 0)return m.texture;{let S=f.image;return g&&S&&S.height>0||v&&S&&l(S)?(n===null&&(n=new nh(i)),m=g?n.fromEquirectangular(f):n.fromCubemap(f),m.texture.pmremVersion=f.pmremVersion,e.set(f,m),f.addEventListener("dispose",h),m.texture):null}}}return f}function a(f,d){return d===dc?f.mapping=lr:d===pc&&(f.mapping=lo),f}function l(f){let d=0,g=6;for(let v=0;v<g;v++)f[v]!==void 0&&d++;return d===g}function c(f){let d=f.target;d.removeEventListener("dispose",c);let g=t.get(d);g!==void 0&&(t.delete(d),g.dispose())}function h(f){let d=f.target;d.removeEventListener("dispose",h);let g=e.get(d);g!==void 0&&(e.delete(d),g.dispose())}function u(){t=new WeakMap,e=new WeakMap,n!==null&&(n.dispose(),n=null)}return{get:s,dispose:u}}function oS(i){let t={};function e(n){if(t[n]!==void 0)return t[n];let s=i.getExtension(n);return t[n]=s,s}return{has:function(n){return e(n)!==null},init:function(){e("EXT_color_buffer_float"),e("WEBGL_clip_cull_distance"),e("OES_texture_float_linear"),e("EXT_color_buffer_half_float"),e("WEBGL_multisampled_render_to_texture"),e("WEBGL_render_shared_exponent")},get:function(n){let s=e(n);return s===null&&Go("WebGLRenderer: "+n+" extension not supported."),s}}}function aS(i,t,e,n){let s={},r=new WeakMap,o=new FinalizationRegistry(g=>delete s[g]);function a(g){l(g.target)}function l(g){g.index!==null&&t.remove(g.index);for(let m in g.attributes)t.remove(g.attributes[m]);g.removeEventListener("dispose",a),delete s[g.id],o.unregister(g);let v=r.get(g);v&&(t.remove(v),r.delete(g)),n.releaseStatesOfGeometry(g),g.isInstancedBufferGeometry===!0&&delete g._maxInstanceCount,e.memory.geometries--}function c(g,v){return s[v.id]!==void 0||(v.addEventListener("dispose",a),s[v.id]=new WeakRef(v),o.register(v,v.id,v),e.memory.geometries++),v}function h(g){let v=g.attributes;for(let m in v)t.update(v[m],i.ARRAY_BUFFER)}function u(g){let v=g.index,m=g.attributes.position,p=0;if(m===void 0)return;let S=v!==null?v.array.length:m.array.length/3-1,y=m.count>=65535?jo:Ko,M=new y(Math.ceil(S/3)*6,1),R=M.array;if(v!==null){let x=v.array;p=v.version;for(let E=0,z=0;E<S;E+=3){let U=x[E+0],L=x[E+1],H=x[E+2];R[z++]=U,R[z++]=L,R[z++]=L,R[z++]=H,R[z++]=H,R[z++]=U}}else{p=m.version;for(let x=0,E=0;x<S;x+=3){let z=x+0,U=x+1,L=x+2;R[E++]=z,R[E++]=U,R[E++]=U,R[E++]=L,R[E++]=L,R[E++]=z}}M.version=p;let A=r.get(g);A&&t.remove(A),r.set(g,M)}function f(g){let v=r.get(g);if(v){let m=g.index;m!==null&&v.version<m.version&&u(g)}else u(g);return r.get(g)}function d(){for(let g in s){let v=s[g].deref();v!==void 0&&l(v)}}return{get:c,update:h,getWireframeAttribute:f,dispose:d}}function lS(i,t,e){let n;function s(u){n=u}let r,o;function a(u){r=u.type,o=u.bytesPerElement}function l(u,f){i.drawElements(n,f,r,u*o),e.update(f,n,1)}function c(u,f,d){d!==0&&(i.drawElementsInstanced(n,f,r,u*o,d),e.update(f,n,d))}function h(u,f,d){if(d===0)return;t.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,f,0,r,u,0,d);let v=0;for(let m=0;m<d;m++)v+=f[m];e.update(v,n,1)}this.setMode=s,this.setIndex=a,this.render=l,this.renderInstances=c,this.renderMultiDraw=h}function cS(i){let t={geometries:0,textures:0},e={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(e.calls++,o){case i.TRIANGLES:e.triangles+=a*(r/3);break;case i.LINES:e.lines+=a*(r/2);break;case i.LINE_STRIP:e.lines+=a*(r-1);break;case i.LINE_LOOP:e.lines+=a*r;break;case i.POINTS:e.points+=a*r;break;default:jt("WebGLInfo: Unknown draw mode:",o);break}}function s(){e.calls=0,e.triangles=0,e.points=0,e.lines=0}return{memory:t,render:e,programs:null,autoReset:!0,reset:s,update:n}}function hS(i,t,e){let n=new WeakMap,s=new De;function r(o,a,l){let c=o.morphTargetInfluences,h=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,u=h!==void 0?h.length:0,f=n.get(a);if(f===void 0||f.count!==u){let z=function(){x.dispose(),n.delete(a),a.removeEventListener("dispose",z)};f!==void 0&&f.texture.dispose();let d=a.morphAttributes.position!==void 0,g=a.morphAttributes.normal!==void 0,v=a.morphAttributes.color!==void 0,m=a.morphAttributes.position||[],p=a.morphAttributes.normal||[],S=a.morphAttributes.color||[],y=0;d===!0&&(y=1),g===!0&&(y=2),v===!0&&(y=3);let M=a.attributes.position.count*y,R=1;M>t.maxTextureSize&&(R=Math.ceil(M/t.maxTextureSize),M=t.maxTextureSize);let A=new Float32Array(M*R*4*u),x=new $o(A,M,R,u);x.type=xi,x.needsUpdate=!0;let E=y*4;for(let U=0;U<u;U++){let L=m[U],H=p[U],W=S[U],N=M*R*4*U;for(let G=0;G<L.count;G++){let J=G*E;d===!0&&(s.fromBufferAttribute(L,G),A[N+J+0]=s.x,A[N+J+1]=s.y,A[N+J+2]=s.z,A[N+J+3]=0),g===!0&&(s.fromBufferAttribute(H,G),A[N+J+4]=s.x,A[N+J+5]=s.y,A[N+J+6]=s.z,A[N+J+7]=0),v===!0&&(s.fromBufferAttribute(W,G),A[N+J+8]=s.x,A[N+J+9]=s.y,A[N+J+10]=s.z,A[N+J+11]=W.itemSize===4?s.w:1)}}f={count:u,texture:x,size:new pe(M,R)},n.set(a,f),a.addEventListener("dispose",z)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)l.getUniforms().setValue(i,"morphTexture",o.morphTexture,e);else{let d=0;for(let v=0;v<c.length;v++)d+=c[v];let g=a.morphTargetsRelative?1:1-d;l.getUniforms().setValue(i,"morphTargetBaseInfluence",g),l.getUniforms().setValue(i,"morphTargetInfluences",c)}l.getUniforms().setValue(i,"morphTargetsTexture",f.texture,e),l.getUniforms().setValue(i,"morphTargetsTextureSize",f.size)}return{update:r}}function uS(i,t,e,n,s){let r=new WeakMap;function o(c){let h=s.render.frame,u=c.geometry,f=t.get(c,u);if(r.get(f)!==h&&(t.update(f),r.set(f,h)),c.isInstancedMesh&&(c.hasEventListener("dispose",l)===!1&&c.addEventListener("dispose",l),r.get(c)!==h&&(e.update(c.instanceMatrix,i.ARRAY_BUFFER),c.instanceColor!==null&&e.update(c.instanceColor,i.ARRAY_BUFFER),r.set(c,h))),c.isSkinnedMesh){let d=c.skeleton;r.get(d)!==h&&(d.update(),r.set(d,h))}return f}function a(){r=new WeakMap}function l(c){let h=c.target;h.removeEventListener("dispose",l),n.releaseStatesOfObject(h),e.remove(h.instanceMatrix),h.instanceColor!==null&&e.remove(h.instanceColor)}return{update:o,dispose:a}}var fS={[Cu]:"LINEAR_TONE_MAPPING",[Pu]:"REINHARD_TONE_MAPPING",[Iu]:"CINEON_TONE_MAPPING",[Lu]:"ACES_FILMIC_TONE_MAPPING",[Du]:"AGX_TONE_MAPPING",[Uu]:"NEUTRAL_TONE_MAPPING",[Nu]:"CUSTOM_TONE_MAPPING"};function dS(i,t,e,n,s,r){let o=new ri(t,e,{type:i,depthBuffer:s,stencilBuffer:r,samples:n?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,l=null,c=null,h=new Rn;h.setAttribute("position",new cn([-1,3,0,-1,-1,0,3,-1,0],3)),h.setAttribute("uv",new cn([0,2,0,0,2,0],2));let u=new Kl({uniforms:{tDiffuse:{value:null}},vertexShader:`
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
			}`,depthTest:!1,depthWrite:!1}),f=new Dn(h,u),d=new so(-1,1,1,-1,0,1),g=null,v=null,m=!1,p,S=null,y=[],M=!1;this.setSize=function(R,A){o.setSize(R,A),a!==null&&a.setSize(R,A),l!==null&&l.setSize(R,A);for(let x=0;x<y.length;x++){let E=y[x];E.setSize&&E.setSize(R,A)}},this.setEffects=function(R){y=R,M=y.length>0&&y[0].isRenderPass===!0;let A=o.width,x=o.height;y.length>0&&a===null&&(a=new ri(A,x,{type:Li,depthBuffer:!1,stencilBuffer:!1}),l=new ri(A,x,{type:Li,depthBuffer:!1,stencilBuffer:!1}));let E=s===!0&&y.some(z=>z.needsDepthTexture===!0);E!==(o.depthTexture!==null)&&(E===!0&&c===null&&(c=new _s(A,x),r===!0&&(c.format=Ms,c.type=cr)),o.dispose(),o.depthTexture=E?c:null,o.resolveDepthBuffer=E,o.storeMultisampledDepthBuffer=E);for(let z=0;z<y.length;z++){let U=y[z];U.setSize&&U.setSize(A,x),E&&U.needsDepthTexture===!0&&U.setDepthTexture&&U.setDepthTexture(c)}},this.begin=function(R,A){if(m||R.toneMapping===ji&&y.length===0)return!1;if(S=A,A!==null){let x=A.width,E=A.height;(o.width!==x||o.height!==E)&&this.setSize(x,E)}return M===!1&&R.setRenderTarget(o),p=R.toneMapping,R.toneMapping=ji,!0},this.hasRenderPass=function(){return M},this.end=function(R,A){R.toneMapping=p,m=!0;let x=o,E=a;for(let z=0;z<y.length;z++){let U=y[z];U.enabled!==!1&&(U.render(R,E,x,A),U.needsSwap!==!1&&(x=E,E=E===a?l:a))}if(g!==R.outputColorSpace||v!==R.toneMapping){g=R.outputColorSpace,v=R.toneMapping,u.defines={},de.getTransfer(g)===we&&(u.defines.SRGB_TRANSFER="");let z=fS[v];z&&(u.defines[z]=""),u.needsUpdate=!0}u.uniforms.tDiffuse.value=x.texture,R.setRenderTarget(S),R.render(f,d),S=null,m=!1},this.isCompositing=function(){return m},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),l!==null&&l.dispose(),h.dispose(),u.dispose()}}var Gm=new Jn,Hm=new _s(1,1),Wm=new sa(1),Xm=new $o,qm=new Wl,Ym=new ia,Mm=[],Sm=[],bm=new Float32Array(16),wm=new Float32Array(9),Tm=new Float32Array(4);function uo(i,t,e){let n=i[0];if(n<=0||n>0)return i;let s=t*e,r=Mm[s];if(r===void 0&&(r=new Float32Array(s),Mm[s]=r),t!==0){n.toArray(r,0);for(let o=1,a=0;o!==t;++o)a+=e,i[o].toArray(r,a)}return r}function mn(i,t){if(i.length!==t.length)return!1;for(let e=0,n=i.length;e<n;e++)if(i[e]!==t[e])return!1;return!0}function gn(i,t){for(let e=0,n=t.length;e<n;e++)i[e]=t[e]}function sh(i,t){let e=Sm[t];e===void 0&&(e=new Int32Array(t),Sm[t]=e);for(let n=0;n!==t;++n)e[n]=i.allocateTextureUnit();return e}function pS(i,t){let e=this.cache;e[0]!==t&&(i.uniform1f(this.addr,t),e[0]=t)}function mS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2f(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(mn(e,t))return;i.uniform2fv(this.addr,t),gn(e,t)}}function gS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3f(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else if(t.r!==void 0)(e[0]!==t.r||e[1]!==t.g||e[2]!==t.b)&&(i.uniform3f(this.addr,t.r,t.g,t.b),e[0]=t.r,e[1]=t.g,e[2]=t.b);else{if(mn(e,t))return;i.uniform3fv(this.addr,t),gn(e,t)}}function xS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4f(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(mn(e,t))return;i.uniform4fv(this.addr,t),gn(e,t)}}function _S(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(mn(e,t))return;i.uniformMatrix2fv(this.addr,!1,t),gn(e,t)}else{if(mn(e,n))return;Tm.set(n),i.uniformMatrix2fv(this.addr,!1,Tm),gn(e,n)}}function vS(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(mn(e,t))return;i.uniformMatrix3fv(this.addr,!1,t),gn(e,t)}else{if(mn(e,n))return;wm.set(n),i.uniformMatrix3fv(this.addr,!1,wm),gn(e,n)}}function yS(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(mn(e,t))return;i.uniformMatrix4fv(this.addr,!1,t),gn(e,t)}else{if(mn(e,n))return;bm.set(n),i.uniformMatrix4fv(this.addr,!1,bm),gn(e,n)}}function MS(i,t){let e=this.cache;e[0]!==t&&(i.uniform1i(this.addr,t),e[0]=t)}function SS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2i(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(mn(e,t))return;i.uniform2iv(this.addr,t),gn(e,t)}}function bS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3i(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(mn(e,t))return;i.uniform3iv(this.addr,t),gn(e,t)}}function wS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4i(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(mn(e,t))return;i.uniform4iv(this.addr,t),gn(e,t)}}function TS(i,t){let e=this.cache;e[0]!==t&&(i.uniform1ui(this.addr,t),e[0]=t)}function AS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2ui(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(mn(e,t))return;i.uniform2uiv(this.addr,t),gn(e,t)}}function ES(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3ui(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(mn(e,t))return;i.uniform3uiv(this.addr,t),gn(e,t)}}function RS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4ui(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(mn(e,t))return;i.uniform4uiv(this.addr,t),gn(e,t)}}function rh(i){return i.version===0&&(i.compareFunction=qu,i.needsUpdate=!0),i}function CS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?r=rh(Hm):r=Gm,e.setTexture2D(t||r,s)}function PS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture3D(t||qm,s)}function IS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_CUBE_SHADOW?r=rh(Wm):r=Ym,e.setTextureCube(t||r,s)}function LS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture2DArray(t||Xm,s)}function NS(i){switch(i){case 5126:return pS;case 35664:return mS;case 35665:return gS;case 35666:return xS;case 35674:return _S;case 35675:return vS;case 35676:return yS;case 5124:case 35670:return MS;case 35667:case 35671:return SS;case 35668:case 35672:return bS;case 35669:case 35673:return wS;case 5125:return TS;case 36294:return AS;case 36295:return ES;case 36296:return RS;case 35678:case 36198:case 36298:case 36306:case 35682:return CS;case 35679:case 36299:case 36307:return PS;case 35680:case 36300:case 36308:case 36293:return IS;case 36289:case 36303:case 36311:case 36292:return LS}}function DS(i,t){i.uniform1fv(this.addr,t)}function US(i,t){let e=uo(t,this.size,2);i.uniform2fv(this.addr,e)}function FS(i,t){let e=uo(t,this.size,3);i.uniform3fv(this.addr,e)}function OS(i,t){let e=uo(t,this.size,4);i.uniform4fv(this.addr,e)}function BS(i,t){let e=uo(t,this.size,4);i.uniformMatrix2fv(this.addr,!1,e)}function kS(i,t){let e=uo(t,this.size,9);i.uniformMatrix3fv(this.addr,!1,e)}function zS(i,t){let e=uo(t,this.size,16);i.uniformMatrix4fv(this.addr,!1,e)}function VS(i,t){i.uniform1iv(this.addr,t)}function GS(i,t){i.uniform2iv(this.addr,t)}function HS(i,t){i.uniform3iv(this.addr,t)}function WS(i,t){i.uniform4iv(this.addr,t)}function XS(i,t){i.uniform1uiv(this.addr,t)}function qS(i,t){i.uniform2uiv(this.addr,t)}function YS(i,t){i.uniform3uiv(this.addr,t)}function $S(i,t){i.uniform4uiv(this.addr,t)}function ZS(i,t,e){let n=this.cache,s=t.length,r=sh(e,s);mn(n,r)||(i.uniform1iv(this.addr,r),gn(n,r));let o;this.type===i.SAMPLER_2D_SHADOW?o=rh(Hm):o=Gm;for(let a=0;a!==s;++a)e.setTexture2D(t[a]||o,r[a])}function JS(i,t,e){let n=this.cache,s=t.length,r=sh(e,s);mn(n,r)||(i.uniform1iv(this.addr,r),gn(n,r));for(let o=0;o!==s;++o)e.setTexture3D(t[o]||qm,r[o])}function KS(i,t,e){let n=this.cache,s=t.length,r=sh(e,s);mn(n,r)||(i.uniform1iv(this.addr,r),gn(n,r));let o;this.type===i.SAMPLER_CUBE_SHADOW?o=rh(Wm):o=Ym;for(let a=0;a!==s;++a)e.setTextureCube(t[a]||o,r[a])}function jS(i,t,e){let n=this.cache,s=t.length,r=sh(e,s);mn(n,r)||(i.uniform1iv(this.addr,r),gn(n,r));for(let o=0;o!==s;++o)e.setTexture2DArray(t[o]||Xm,r[o])}function QS(i){switch(i){case 5126:return DS;case 35664:return US;case 35665:return FS;case 35666:return OS;case 35674:return BS;case 35675:return kS;case 35676:return zS;case 5124:case 35670:return VS;case 35667:case 35671:return GS;case 35668:case 35672:return HS;case 35669:case 35673:return WS;case 5125:return XS;case 36294:return qS;case 36295:return YS;case 36296:return $S;case 35678:case 36198:case 36298:case 36306:case 35682:return ZS;case 35679:case 36299:case 36307:return JS;case 35680:case 36300:case 36308:case 36293:return KS;case 36289:case 36303:case 36311:case 36292:return jS}}var af=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.setValue=NS(e.type)}},lf=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.size=e.size,this.setValue=QS(e.type)}},cf=class{constructor(t){this.id=t,this.seq=[],this.map={}}setValue(t,e,n){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(t,e[a.id],n)}}},rf=/(\w+)(\])?(\[|\.)?/g;function Am(i,t){i.seq.push(t),i.map[t.id]=t}function tb(i,t,e){let n=i.name,s=n.length;for(rf.lastIndex=0;;){let r=rf.exec(n),o=rf.lastIndex,a=r[1],l=r[2]==="]",c=r[3];if(l&&(a=a|0),c===void 0||c==="["&&o+2===s){Am(e,c===void 0?new af(a,i,t):new lf(a,i,t));break}else{let u=e.map[a];u===void 0&&(u=new cf(a),Am(e,u)),e=u}}}var ho=class{constructor(t,e){this.seq=[],this.map={};let n=t.getProgramParameter(e,t.ACTIVE_UNIFORMS);for(let o=0;o<n;++o){let a=t.getActiveUniform(e,o),l=t.getUniformLocation(e,a.name);tb(a,l,this)}let s=[],r=[];for(let o of this.seq)o.type===t.SAMPLER_2D_SHADOW||o.type===t.SAMPLER_CUBE_SHADOW||o.type===t.SAMPLER_2D_ARRAY_SHADOW?s.push(o):r.push(o);s.length>0&&(this.seq=s.concat(r))}setValue(t,e,n,s){let r=this.map[e];r!==void 0&&r.setValue(t,n,s)}setOptional(t,e,n){let s=e[n];s!==void 0&&this.setValue(t,n,s)}static upload(t,e,n,s){for(let r=0,o=e.length;r!==o;++r){let a=e[r],l=n[a.id];l.needsUpdate!==!1&&a.setValue(t,l.value,s)}}static seqWithValue(t,e){let n=[];for(let s=0,r=t.length;s!==r;++s){let o=t[s];o.id in e&&n.push(o)}return n}};function Em(i,t,e){let n=i.createShader(t);return i.shaderSource(n,e),i.compileShader(n),n}var eb=37297,nb=0;function ib(i,t){let e=i.split(`
`),n=[],s=Math.max(t-6,0),r=Math.min(t+6,e.length);for(let o=s;o<r;o++){let a=o+1;n.push(`${a===t?">":" "} ${a}: ${e[o]}`)}return n.join(`
`)}var Rm=new Qt;function sb(i){de._getMatrix(Rm,de.workingColorSpace,i);let t=`mat3( ${Rm.elements.map(e=>e.toFixed(4))} )`;switch(de.getTransfer(i)){case Wo:return[t,"LinearTransferOETF"];case we:return[t,"sRGBTransferOETF"];default:return Yt("WebGLProgram: Unsupported color space: ",i),[t,"LinearTransferOETF"]}}function Cm(i,t,e){let n=i.getShaderParameter(t,i.COMPILE_STATUS),r=(i.getShaderInfoLog(t)||"").trim();if(n&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return e.toUpperCase()+`

`+r+`

`+ib(i.getShaderSource(t),a)}else return r}function rb(i,t){let e=sb(t);return[`vec4 ${i}( vec4 value ) {`,`	return ${e[1]}( vec4( ${e[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var ob={[Cu]:"Linear",[Pu]:"Reinhard",[Iu]:"Cineon",[Lu]:"ACESFilmic",[Du]:"AgX",[Uu]:"Neutral",[Nu]:"Custom"};function ab(i,t){let e=ob[t];return e===void 0?(Yt("WebGLProgram: Unsupported toneMapping:",t),"vec3 "+i+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+i+"( vec3 color ) { return "+e+"ToneMapping( color ); }"}var eh=new $;function lb(){de.getLuminanceCoefficients(eh);let i=eh.x.toFixed(4),t=eh.y.toFixed(4),e=eh.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${t}, ${e} );`,"	return dot( weights, rgb );","}"].join(`
`)}function cb(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(Aa).join(`
`)}function hb(i){let t=[];for(let e in i){let n=i[e];n!==!1&&t.push("#define "+e+" "+n)}return t.join(`
`)}function ub(i,t){let e={},n=i.getProgramParameter(t,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){let r=i.getActiveAttrib(t,s),o=r.name,a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),e[o]={type:r.type,location:i.getAttribLocation(t,o),locationSize:a}}return e}function Aa(i){return i!==""}function Pm(i,t){let e=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return i.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,e).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function Im(i,t){return i.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var fb=/^[ \t]*#include +<([\w\d./]+)>/gm;function hf(i){return i.replace(fb,db)}function db(i,t){let e=ae[t];if(e===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+t+">");return hf(e)}var pb=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function Lm(i){return i.replace(pb,mb)}function mb(i,t,e,n){let s="";for(let r=parseInt(t);r<parseInt(e);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function Nm(i){let t=`precision ${i.precision} float;
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
#define LOW_PRECISION`),t}var gb={[da]:"SHADOWMAP_TYPE_PCF",[oo]:"SHADOWMAP_TYPE_VSM"};function xb(i){return gb[i.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var _b={[lo]:"ENVMAP_MODE_REFRACTION"};function vb(i){return i.envMap===!1?"ENVMAP_MODE_REFLECTION":_b[i.envMapMode]||"ENVMAP_MODE_REFLECTION"}var yb={[Ru]:"ENVMAP_BLENDING_MULTIPLY",[Zp]:"ENVMAP_BLENDING_MIX",[Jp]:"ENVMAP_BLENDING_ADD"};function Mb(i){return i.envMap===!1?"ENVMAP_BLENDING_NONE":yb[i.combine]||"ENVMAP_BLENDING_NONE"}function Sb(i,t,e,n){let s=i.getContext(),r=e.defines,o=e.vertexShader,a=e.fragmentShader,l=xb(e),c=e.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",h=vb(e),u=Mb(e),f=cb(e),d=hb(r),g=s.createProgram(),v,m,p=e.glslVersion?"#version "+e.glslVersion+`
`:"";e.isRawShaderMaterial?(v=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d].filter(Aa).join(`
`),v.length>0&&(v+=`
`),m=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d].filter(Aa).join(`
`),m.length>0&&(m+=`
`)):(v=[Nm(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d,e.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",e.batching?"#define USE_BATCHING":"",e.batchingColor?"#define USE_BATCHING_COLOR":"",e.instancing?"#define USE_INSTANCING":"",e.instancingColor?"#define USE_INSTANCING_COLOR":"",e.instancingMorph?"#define USE_INSTANCING_MORPH":"",e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.map?"#define USE_MAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+h:"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.displacementMap?"#define USE_DISPLACEMENTMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.mapUv?"#define MAP_UV "+e.mapUv:"",e.alphaMapUv?"#define ALPHAMAP_UV "+e.alphaMapUv:"",e.lightMapUv?"#define LIGHTMAP_UV "+e.lightMapUv:"",e.aoMapUv?"#define AOMAP_UV "+e.aoMapUv:"",e.emissiveMapUv?"#define EMISSIVEMAP_UV "+e.emissiveMapUv:"",e.bumpMapUv?"#define BUMPMAP_UV "+e.bumpMapUv:"",e.normalMapUv?"#define NORMALMAP_UV "+e.normalMapUv:"",e.displacementMapUv?"#define DISPLACEMENTMAP_UV "+e.displacementMapUv:"",e.metalnessMapUv?"#define METALNESSMAP_UV "+e.metalnessMapUv:"",e.roughnessMapUv?"#define ROUGHNESSMAP_UV "+e.roughnessMapUv:"",e.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+e.anisotropyMapUv:"",e.clearcoatMapUv?"#define CLEARCOATMAP_UV "+e.clearcoatMapUv:"",e.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+e.clearcoatNormalMapUv:"",e.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+e.clearcoatRoughnessMapUv:"",e.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+e.diffuseRoughnessMapUv:"",e.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+e.iridescenceMapUv:"",e.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+e.iridescenceThicknessMapUv:"",e.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+e.sheenColorMapUv:"",e.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+e.sheenRoughnessMapUv:"",e.specularMapUv?"#define SPECULARMAP_UV "+e.specularMapUv:"",e.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+e.specularColorMapUv:"",e.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+e.specularIntensityMapUv:"",e.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+e.transmissionMapUv:"",e.thicknessMapUv?"#define THICKNESSMAP_UV "+e.thicknessMapUv:"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexNormals?"#define HAS_NORMAL":"",e.vertexColors?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.flatShading?"#define FLAT_SHADED":"",e.skinning?"#define USE_SKINNING":"",e.morphTargets?"#define USE_MORPHTARGETS":"",e.morphNormals&&e.flatShading===!1?"#define USE_MORPHNORMALS":"",e.morphColors?"#define USE_MORPHCOLORS":"",e.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+e.morphTextureStride:"",e.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+e.morphTargetsCount:"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.sizeAttenuation?"#define USE_SIZEATTENUATION":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(Aa).join(`
`),m=[Nm(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d,e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",e.map?"#define USE_MAP":"",e.matcap?"#define USE_MATCAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+c:"",e.envMap?"#define "+h:"",e.envMap?"#define "+u:"",e.envMapPMREM?"#define ENVMAP_MAX_LOD "+e.envMapMaxLod+".0":"",e.envMapPMREM?"#define ENVMAP_SIZE "+e.envMapSize+".0":"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoat?"#define USE_CLEARCOAT":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.dispersion?"#define USE_DISPERSION":"",e.retroreflection?"#define USE_RETROREFLECTION":"",e.iridescence?"#define USE_IRIDESCENCE":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaTest?"#define USE_ALPHATEST":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.sheen?"#define USE_SHEEN":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors||e.instancingColor?"#define USE_COLOR":"",e.vertexAlphas||e.batchingColor?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.gradientMap?"#define USE_GRADIENTMAP":"",e.flatShading?"#define FLAT_SHADED":"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",e.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",e.toneMapping!==ji?"#define TONE_MAPPING":"",e.toneMapping!==ji?ae.tonemapping_pars_fragment:"",e.toneMapping!==ji?ab("toneMapping",e.toneMapping):"",e.dithering?"#define DITHERING":"",e.opaque?"#define OPAQUE":"",ae.colorspace_pars_fragment,rb("linearToOutputTexel",e.outputColorSpace),lb(),e.useDepthPacking?"#define DEPTH_PACKING "+e.depthPacking:"",`
`].filter(Aa).join(`
`)),o=hf(o),o=Pm(o,e),o=Im(o,e),a=hf(a),a=Pm(a,e),a=Im(a,e),o=Lm(o),a=Lm(a),e.isRawShaderMaterial!==!0&&(p=`#version 300 es
`,v=[f,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+v,m=["#define varying in",e.glslVersion===$u?"":"layout(location = 0) out highp vec4 pc_fragColor;",e.glslVersion===$u?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+m);let S=p+v+o,y=p+m+a,M=Em(s,s.VERTEX_SHADER,S),R=Em(s,s.FRAGMENT_SHADER,y);s.attachShader(g,M),s.attachShader(g,R),e.index0AttributeName!==void 0?s.bindAttribLocation(g,0,e.index0AttributeName):e.hasPositionAttribute===!0&&s.bindAttribLocation(g,0,"position"),s.linkProgram(g);function A(U){if(i.debug.checkShaderErrors){let L=s.getProgramInfoLog(g)||"",H=s.getShaderInfoLog(M)||"",W=s.getShaderInfoLog(R)||"",N=L.trim(),G=H.trim(),J=W.trim(),V=!0,ct=!0;if(s.getProgramParameter(g,s.LINK_STATUS)===!1)if(V=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,g,M,R);else{let K=Cm(s,M,"vertex"),Q=Cm(s,R,"fragment");jt("WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(g,s.VALIDATE_STATUS)+`

Material Name: `+U.name+`
Material Type: `+U.type+`

Program Info Log: `+N+`
`+K+`
`+Q)}else N!==""?Yt("WebGLProgram: Program Info Log:",N):(G===""||J==="")&&(ct=!1);ct&&(U.diagnostics={runnable:V,programLog:N,vertexShader:{log:G,prefix:v},fragmentShader:{log:J,prefix:m}})}s.deleteShader(M),s.deleteShader(R),x=new ho(s,g),E=ub(s,g)}let x;this.getUniforms=function(){return x===void 0&&A(this),x};let E;this.getAttributes=function(){return E===void 0&&A(this),E};let z=e.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return z===!1&&(z=s.getProgramParameter(g,eb)),z},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(g),this.program=void 0},this.type=e.shaderType,this.name=e.shaderName,this.id=nb++,this.cacheKey=t,this.usedTimes=1,this.program=g,this.vertexShader=M,this.fragmentShader=R,this}var bb=0,uf=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(t,e,n){let s=this._getShaderCacheForMaterial(t);return s.has(e)===!1&&(s.add(e),e.usedTimes++),s.has(n)===!1&&(s.add(n),n.usedTimes++),this}remove(t){let e=this.materialCache.get(t);for(let n of e)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(t),this}getVertexShaderStage(t){return this._getShaderStage(t.vertexShader)}getFragmentShaderStage(t){return this._getShaderStage(t.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(t){let e=this.materialCache,n=e.get(t);return n===void 0&&(n=new Set,e.set(t,n)),n}_getShaderStage(t){let e=this.shaderCache,n=e.get(t);return n===void 0&&(n=new ff(t),e.set(t,n)),n}},ff=class{constructor(t){this.id=bb++,this.code=t,this.usedTimes=0}};function wb(i){return i===Xs||i===ba||i===wa}function Tb(i,t,e,n,s,r){let o=new Zo,a=new uf,l=new Set,c=[],h=new Map,u=n.logarithmicDepthBuffer,f={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function d(x){return l.add(x),x===0?"uv":`uv${x}`}function g(x,E,z,U,L,H){let W=U.fog,N=L.geometry,G=x.isMeshStandardMaterial||x.isMeshLambertMaterial||x.isMeshPhongMaterial?U.environment:null,J=x.isMeshStandardMaterial||x.isMeshLambertMaterial&&!x.envMap||x.isMeshPhongMaterial&&!x.envMap,V=t.get(x.envMap||G,J),ct=f[x.type],K=n.precision;x.precision!==null&&(K=n.getMaxPrecision(x.precision),K!==x.precision&&Yt("WebGLProgram.getParameters:",x.precision,"not supported, using",K,"instead."));let Q=N.morphAttributes.position||N.morphAttributes.normal||N.morphAttributes.color,st=Q!==void 0?Q.length:0,ft=0;N.morphAttributes.position!==void 0&&(ft=1),N.morphAttributes.normal!==void 0&&(ft=2),N.morphAttributes.color!==void 0&&(ft=3);let ut,tt,mt,_t;if(ct){let Rt=ts[ct];ut=Rt.vertexShader,tt=Rt.fragmentShader}else{ut=x.vertexShader,tt=x.fragmentShader;let Rt=a.getVertexShaderStage(x),se=a.getFragmentShaderStage(x);a.update(x,Rt,se),mt=Rt.id,_t=se.id}let Et=i.getRenderTarget(),St=i.state.buffers.depth.getReversed(),Ht=L.isInstancedMesh===!0,ne=L.isBatchedMesh===!0,Vt=!!x.map,le=!!x.matcap,re=!!V,te=re&&V.isPMREMTexture===!0,Xe=!!x.aoMap,Oe=!!x.lightMap,en=!!x.bumpMap&&x.wireframe===!1,Ce=!!x.normalMap,vn=!!x.displacementMap,_e=!!x.emissiveMap,un=!!x.metalnessMap,$e=!!x.roughnessMap,nn=x.anisotropy>0,O=x.clearcoat>0,Ct=x.diffuseRoughness>0,qt=x.dispersion>0,ie=x.retroreflectivity>0,bt=x.iridescence>0,Le=x.sheen>0,zt=x.transmission>0,Xt=nn&&!!x.anisotropyMap,C=O&&!!x.clearcoatMap,b=O&&!!x.clearcoatNormalMap,X=O&&!!x.clearcoatRoughnessMap,ht=Ct&&!!x.diffuseRoughnessMap,ot=bt&&!!x.iridescenceMap,xt=bt&&!!x.iridescenceThicknessMap,vt=Le&&!!x.sheenColorMap,et=Le&&!!x.sheenRoughnessMap,it=!!x.specularMap,pt=!!x.specularColorMap,F=!!x.specularIntensityMap,rt=zt&&!!x.transmissionMap,nt=zt&&!!x.thicknessMap,wt=!!x.gradientMap,gt=!!x.alphaMap,Mt=x.alphaTest>0,Gt=!!x.alphaHash,Zt=!!x.extensions,lt=ji;x.toneMapped&&(Et===null||Et.isXRRenderTarget===!0)&&(lt=i.toneMapping);let Ot=te?V.isCompressedCubeTexture?V.image[0].mipmaps:V.mipmaps:null,Jt={shaderID:ct,shaderType:x.type,shaderName:x.name,vertexShader:ut,fragmentShader:tt,defines:x.defines,customVertexShaderID:mt,customFragmentShaderID:_t,isRawShaderMaterial:x.isRawShaderMaterial===!0,glslVersion:x.glslVersion,precision:K,batching:ne,batchingColor:ne&&L._colorsTexture!==null,instancing:Ht,instancingColor:Ht&&L.instanceColor!==null,instancingMorph:Ht&&L.morphTexture!==null,outputColorSpace:Et===null?i.outputColorSpace:Et.isXRRenderTarget===!0?Et.texture.colorSpace:de.workingColorSpace,alphaToCoverage:!!x.alphaToCoverage,map:Vt,matcap:le,envMap:re,envMapMode:re&&V.mapping,envMapPMREM:te,envMapMaxLod:te?Ot.length-1:null,envMapSize:te?Ot[0].width:null,aoMap:Xe,lightMap:Oe,bumpMap:en,normalMap:Ce,displacementMap:vn,emissiveMap:_e,normalMapObjectSpace:Ce&&x.normalMapType===Qp,normalMapTangentSpace:Ce&&x.normalMapType===Hu,packedNormalMap:Ce&&x.normalMapType===Hu&&wb(x.normalMap.format),metalnessMap:un,roughnessMap:$e,anisotropy:nn,anisotropyMap:Xt,clearcoat:O,clearcoatMap:C,clearcoatNormalMap:b,clearcoatRoughnessMap:X,diffuseRoughness:Ct,diffuseRoughnessMap:ht,dispersion:qt,retroreflection:ie,iridescence:bt,iridescenceMap:ot,iridescenceThicknessMap:xt,sheen:Le,sheenColorMap:vt,sheenRoughnessMap:et,specularMap:it,specularColorMap:pt,specularIntensityMap:F,transmission:zt,transmissionMap:rt,thicknessMap:nt,gradientMap:wt,opaque:x.transparent===!1&&x.blending===ao&&x.alphaToCoverage===!1,alphaMap:gt,alphaTest:Mt,alphaHash:Gt,combine:x.combine,mapUv:Vt&&d(x.map.channel),aoMapUv:Xe&&d(x.aoMap.channel),lightMapUv:Oe&&d(x.lightMap.channel),bumpMapUv:en&&d(x.bumpMap.channel),normalMapUv:Ce&&d(x.normalMap.channel),displacementMapUv:vn&&d(x.displacementMap.channel),emissiveMapUv:_e&&d(x.emissiveMap.channel),metalnessMapUv:un&&d(x.metalnessMap.channel),roughnessMapUv:$e&&d(x.roughnessMap.channel),anisotropyMapUv:Xt&&d(x.anisotropyMap.channel),clearcoatMapUv:C&&d(x.clearcoatMap.channel),clearcoatNormalMapUv:b&&d(x.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:X&&d(x.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:ht&&d(x.diffuseRoughnessMap.channel),iridescenceMapUv:ot&&d(x.iridescenceMap.channel),iridescenceThicknessMapUv:xt&&d(x.iridescenceThicknessMap.channel),sheenColorMapUv:vt&&d(x.sheenColorMap.channel),sheenRoughnessMapUv:et&&d(x.sheenRoughnessMap.channel),specularMapUv:it&&d(x.specularMap.channel),specularColorMapUv:pt&&d(x.specularColorMap.channel),specularIntensityMapUv:F&&d(x.specularIntensityMap.channel),transmissionMapUv:rt&&d(x.transmissionMap.channel),thicknessMapUv:nt&&d(x.thicknessMap.channel),alphaMapUv:gt&&d(x.alphaMap.channel),vertexTangents:!!N.attributes.tangent&&(Ce||nn),vertexNormals:!!N.attributes.normal,vertexColors:x.vertexColors,vertexAlphas:x.vertexColors===!0&&!!N.attributes.color&&N.attributes.color.itemSize===4,pointsUvs:L.isPoints===!0&&!!N.attributes.uv&&(Vt||gt),fog:!!W,useFog:x.fog===!0,fogExp2:!!W&&W.isFogExp2,flatShading:x.wireframe===!1&&(x.flatShading===!0||N.attributes.normal===void 0&&Ce===!1&&(x.isMeshLambertMaterial||x.isMeshPhongMaterial||x.isMeshStandardMaterial||x.isMeshPhysicalMaterial)),sizeAttenuation:x.sizeAttenuation===!0,logarithmicDepthBuffer:u,reversedDepthBuffer:St,skinning:L.isSkinnedMesh===!0,hasPositionAttribute:N.attributes.position!==void 0,morphTargets:N.morphAttributes.position!==void 0,morphNormals:N.morphAttributes.normal!==void 0,morphColors:N.morphAttributes.color!==void 0,morphTargetsCount:st,morphTextureStride:ft,numSunLights:E.sun.length,numDirLights:E.directional.length,numPointLights:E.point.length,numSpotLights:E.spot.length,numSpotLightMaps:E.spotLightMap.length,numRectAreaLights:E.rectArea.length,numHemiLights:E.hemi.length,numSunLightShadows:E.sunShadowMap.length,numDirLightShadows:E.directionalShadowMap.length,numPointLightShadows:E.pointShadowMap.length,numSpotLightShadows:E.spotShadowMap.length,numSpotLightShadowsWithMaps:E.numSpotLightShadowsWithMaps,numLightProbes:E.numLightProbes,numLightProbeGrids:H.filter(Rt=>Rt.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:x.dithering,shadowMapEnabled:i.shadowMap.enabled&&z.length>0,shadowMapType:i.shadowMap.type,toneMapping:lt,decodeVideoTexture:Vt&&x.map.isVideoTexture===!0&&de.getTransfer(x.map.colorSpace)===we,decodeVideoTextureEmissive:_e&&x.emissiveMap.isVideoTexture===!0&&de.getTransfer(x.emissiveMap.colorSpace)===we,premultipliedAlpha:x.premultipliedAlpha,doubleSided:x.side===$n,flipSided:x.side===Yn,useDepthPacking:x.depthPacking>=0,depthPacking:x.depthPacking||0,index0AttributeName:x.index0AttributeName,extensionClipCullDistance:Zt&&x.extensions.clipCullDistance===!0&&e.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(Zt&&x.extensions.multiDraw===!0||ne)&&e.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:e.has("KHR_parallel_shader_compile"),customProgramCacheKey:x.customProgramCacheKey()};return Jt.vertexUv1s=l.has(1),Jt.vertexUv2s=l.has(2),Jt.vertexUv3s=l.has(3),l.clear(),Jt}function v(x){let E=[];if(x.shaderID?E.push(x.shaderID):(E.push(x.customVertexShaderID),E.push(x.customFragmentShaderID)),x.defines!==void 0)for(let z in x.defines)E.push(z),E.push(x.defines[z]);return x.isRawShaderMaterial===!1&&(m(E,x),p(E,x),E.push(i.outputColorSpace)),E.push(x.customProgramCacheKey),E.join()}function m(x,E){x.push(E.precision),x.push(E.outputColorSpace),x.push(E.envMapMode),x.push(E.envMapPMREM),x.push(E.envMapMaxLod),x.push(E.envMapSize),x.push(E.mapUv),x.push(E.alphaMapUv),x.push(E.lightMapUv),x.push(E.aoMapUv),x.push(E.bumpMapUv),x.push(E.normalMapUv),x.push(E.displacementMapUv),x.push(E.emissiveMapUv),x.push(E.metalnessMapUv),x.push(E.roughnessMapUv),x.push(E.anisotropyMapUv),x.push(E.clearcoatMapUv),x.push(E.clearcoatNormalMapUv),x.push(E.clearcoatRoughnessMapUv),x.push(E.diffuseRoughnessMapUv),x.push(E.iridescenceMapUv),x.push(E.iridescenceThicknessMapUv),x.push(E.sheenColorMapUv),x.push(E.sheenRoughnessMapUv),x.push(E.specularMapUv),x.push(E.specularColorMapUv),x.push(E.specularIntensityMapUv),x.push(E.transmissionMapUv),x.push(E.thicknessMapUv),x.push(E.combine),x.push(E.fogExp2),x.push(E.sizeAttenuation),x.push(E.morphTargetsCount),x.push(E.numSunLights),x.push(E.numDirLights),x.push(E.numPointLights),x.push(E.numSpotLights),x.push(E.numSpotLightMaps),x.push(E.numHemiLights),x.push(E.numRectAreaLights),x.push(E.numSunLightShadows),x.push(E.numDirLightShadows),x.push(E.numPointLightShadows),x.push(E.numSpotLightShadows),x.push(E.numSpotLightShadowsWithMaps),x.push(E.numLightProbes),x.push(E.numLightProbeGrids),x.push(E.shadowMapType),x.push(E.toneMapping),x.push(E.numClippingPlanes),x.push(E.numClipIntersection),x.push(E.depthPacking)}function p(x,E){o.disableAll(),E.instancing&&o.enable(0),E.instancingColor&&o.enable(1),E.instancingMorph&&o.enable(2),E.matcap&&o.enable(3),E.envMap&&o.enable(4),E.normalMapObjectSpace&&o.enable(5),E.normalMapTangentSpace&&o.enable(6),E.clearcoat&&o.enable(7),E.iridescence&&o.enable(8),E.alphaTest&&o.enable(9),E.vertexColors&&o.enable(10),E.vertexAlphas&&o.enable(11),E.vertexUv1s&&o.enable(12),E.vertexUv2s&&o.enable(13),E.vertexUv3s&&o.enable(14),E.vertexTangents&&o.enable(15),E.anisotropy&&o.enable(16),E.alphaHash&&o.enable(17),E.batching&&o.enable(18),E.dispersion&&o.enable(19),E.retroreflection&&o.enable(24),E.diffuseRoughness&&o.enable(25),E.batchingColor&&o.enable(20),E.gradientMap&&o.enable(21),E.packedNormalMap&&o.enable(22),E.vertexNormals&&o.enable(23),x.push(o.mask),o.disableAll(),E.fog&&o.enable(0),E.useFog&&o.enable(1),E.flatShading&&o.enable(2),E.logarithmicDepthBuffer&&o.enable(3),E.reversedDepthBuffer&&o.enable(4),E.skinning&&o.enable(5),E.morphTargets&&o.enable(6),E.morphNormals&&o.enable(7),E.morphColors&&o.enable(8),E.premultipliedAlpha&&o.enable(9),E.shadowMapEnabled&&o.enable(10),E.doubleSided&&o.enable(11),E.flipSided&&o.enable(12),E.useDepthPacking&&o.enable(13),E.dithering&&o.enable(14),E.transmission&&o.enable(15),E.sheen&&o.enable(16),E.opaque&&o.enable(17),E.pointsUvs&&o.enable(18),E.decodeVideoTexture&&o.enable(19),E.decodeVideoTextureEmissive&&o.enable(20),E.alphaToCoverage&&o.enable(21),E.numLightProbeGrids>0&&o.enable(22),E.hasPositionAttribute&&o.enable(23),x.push(o.mask)}function S(x){let E=f[x.type],z;if(E){let U=ts[E];z=pm.clone(U.uniforms)}else z=x.uniforms;return z}function y(x,E){let z=h.get(E);return z!==void 0?++z.usedTimes:(z=new Sb(i,E,x,s),c.push(z),h.set(E,z)),z}function M(x){if(--x.usedTimes===0){let E=c.indexOf(x);c[E]=c[c.length-1],c.pop(),h.delete(x.cacheKey),x.destroy()}}function R(x){a.remove(x)}function A(){a.dispose()}return{getParameters:g,getProgramCacheKey:v,getUniforms:S,acquireProgram:y,releaseProgram:M,releaseShaderCache:R,programs:c,dispose:A}}function Ab(){let i=new WeakMap;function t(o){return i.has(o)}function e(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,l){i.get(o)[a]=l}function r(){i=new WeakMap}return{has:t,get:e,remove:n,update:s,dispose:r}}function Eb(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.material.id!==t.material.id?i.material.id-t.material.id:i.materialVariant!==t.materialVariant?i.materialVariant-t.materialVariant:i.z!==t.z?i.z-t.z:i.id-t.id}function Dm(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.z!==t.z?t.z-i.z:i.id-t.id}function Um(){let i=[],t=0,e=[],n=[],s=[];function r(){t=0,e.length=0,n.length=0,s.length=0}function o(f){let d=0;return f.isInstancedMesh&&(d+=2),f.isSkinnedMesh&&(d+=1),d}function a(f,d,g,v,m,p){let S=i[t];return S===void 0?(S={id:f.id,object:f,geometry:d,material:g,materialVariant:o(f),groupOrder:v,renderOrder:f.renderOrder,z:m,group:p},i[t]=S):(S.id=f.id,S.object=f,S.geometry=d,S.material=g,S.materialVariant=o(f),S.groupOrder=v,S.renderOrder=f.renderOrder,S.z=m,S.group=p),t++,S}function l(f,d,g,v,m,p,S){S.reversedDepth===!0&&(m=-m);let y=a(f,d,g,v,m,p);g.transmission>0?n.push(y):g.transparent===!0?s.push(y):e.push(y)}function c(f,d,g,v,m,p){let S=a(f,d,g,v,m,p);g.transmission>0?n.unshift(S):g.transparent===!0?s.unshift(S):e.unshift(S)}function h(f,d){e.length>1&&e.sort(f||Eb),n.length>1&&n.sort(d||Dm),s.length>1&&s.sort(d||Dm)}function u(){for(let f=t,d=i.length;f<d;f++){let g=i[f];if(g.id===null)break;g.id=null,g.object=null,g.geometry=null,g.material=null,g.group=null}}return{opaque:e,transmissive:n,transparent:s,init:r,push:l,unshift:c,finish:u,sort:h}}function Rb(){let i=new WeakMap;function t(n,s){let r=i.get(n),o;return r===void 0?(o=new Um,i.set(n,[o])):s>=r.length?(o=new Um,r.push(o)):o=r[s],o}function e(){i=new WeakMap}return{get:t,dispose:e}}function Cb(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={direction:new $,color:new me};break;case"SpotLight":e={position:new $,direction:new $,color:new me,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":e={position:new $,color:new me,distance:0,decay:0};break;case"HemisphereLight":e={direction:new $,skyColor:new me,groundColor:new me};break;case"RectAreaLight":e={color:new me,position:new $,halfWidth:new $,halfHeight:new $};break}return i[t.id]=e,e}}}function Pb(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new pe};break;case"SpotLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new pe};break;case"PointLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new pe,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[t.id]=e,e}}}var Ib=0;function Lb(i,t){return(t.castShadow?2:0)-(i.castShadow?2:0)+(t.map?1:0)-(i.map?1:0)}function Nb(i){let t=new Cb,e=Pb(),n={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)n.probe.push(new $);let s=new $,r=new Ie,o=new Ie;function a(c){let h=0,u=0,f=0;for(let H=0;H<9;H++)n.probe[H].set(0,0,0);let d=0,g=0,v=0,m=0,p=0,S=0,y=0,M=0,R=0,A=0,x=0,E=0,z=0,U=0;c.sort(Lb);for(let H=0,W=c.length;H<W;H++){let N=c[H],G=N.color,J=N.intensity,V=N.distance,ct=null;if(N.shadow&&N.shadow.map&&(N.shadow.map.texture.format===Xs?ct=N.shadow.map.texture:ct=N.shadow.map.depthTexture||N.shadow.map.texture),N.isAmbientLight)h+=G.r*J,u+=G.g*J,f+=G.b*J;else if(N.isLightProbe){for(let K=0;K<9;K++)n.probe[K].addScaledVector(N.sh.coefficients[K],J);U++}else if(N.isSunLight){let K=t.get(N);if(K.color.copy(N.color).multiplyScalar(N.intensity),N.castShadow){let Q=N.shadow,st=e.get(N);st.shadowIntensity=Q.intensity,st.shadowBias=Q.bias,st.shadowNormalBias=Q.normalBias,st.shadowRadius=Q.radius,st.shadowMapSize.copy(Q.mapSize).multiply(Q.getFrameExtents()),n.sunShadow[g]=st,n.sunShadowMap[g]=ct;let ft=Q.getViewportCount();for(let ut=0;ut<ft;ut++)n.sunShadowMatrix[v+ut]=Q.getMatrix(ut),n.sunShadowCascade[v+ut]=Q._cascadeData[ut];v+=ft,g++}n.sun[d]=K,d++}else if(N.isDirectionalLight){let K=t.get(N);if(K.color.copy(N.color).multiplyScalar(N.intensity),N.castShadow){let Q=N.shadow,st=e.get(N);st.shadowIntensity=Q.intensity,st.shadowBias=Q.bias,st.shadowNormalBias=Q.normalBias,st.shadowRadius=Q.radius,st.shadowMapSize=Q.mapSize,n.directionalShadow[m]=st,n.directionalShadowMap[m]=ct,n.directionalShadowMatrix[m]=N.shadow.matrix,R++}n.directional[m]=K,m++}else if(N.isSpotLight){let K=t.get(N);K.position.setFromMatrixPosition(N.matrixWorld),K.color.copy(G).multiplyScalar(J),K.distance=V,K.coneCos=Math.cos(N.angle),K.penumbraCos=Math.cos(N.angle*(1-N.penumbra)),K.decay=N.decay,n.spot[S]=K;let Q=N.shadow;if(N.map&&(n.spotLightMap[E]=N.map,E++,Q.updateMatrices(N),N.castShadow&&z++),n.spotLightMatrix[S]=Q.matrix,N.castShadow){let st=e.get(N);st.shadowIntensity=Q.intensity,st.shadowBias=Q.bias,st.shadowNormalBias=Q.normalBias,st.shadowRadius=Q.radius,st.shadowMapSize=Q.mapSize,n.spotShadow[S]=st,n.spotShadowMap[S]=ct,x++}S++}else if(N.isRectAreaLight){let K=t.get(N);K.color.copy(G).multiplyScalar(J),K.halfWidth.set(N.width*.5,0,0),K.halfHeight.set(0,N.height*.5,0),n.rectArea[y]=K,y++}else if(N.isPointLight){let K=t.get(N);if(K.color.copy(N.color).multiplyScalar(N.intensity),K.distance=N.distance,K.decay=N.decay,N.castShadow){let Q=N.shadow,st=e.get(N);st.shadowIntensity=Q.intensity,st.shadowBias=Q.bias,st.shadowNormalBias=Q.normalBias,st.shadowRadius=Q.radius,st.shadowMapSize=Q.mapSize,st.shadowCameraNear=Q.camera.near,st.shadowCameraFar=Q.camera.far,n.pointShadow[p]=st,n.pointShadowMap[p]=ct,n.pointShadowMatrix[p]=N.shadow.matrix,A++}n.point[p]=K,p++}else if(N.isHemisphereLight){let K=t.get(N);K.skyColor.copy(N.color).multiplyScalar(J),K.groundColor.copy(N.groundColor).multiplyScalar(J),n.hemi[M]=K,M++}}y>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=Lt.LTC_FLOAT_1,n.rectAreaLTC2=Lt.LTC_FLOAT_2):(n.rectAreaLTC1=Lt.LTC_HALF_1,n.rectAreaLTC2=Lt.LTC_HALF_2)),n.ambient[0]=h,n.ambient[1]=u,n.ambient[2]=f;let L=n.hash;(L.sunLength!==d||L.directionalLength!==m||L.pointLength!==p||L.spotLength!==S||L.rectAreaLength!==y||L.hemiLength!==M||L.numSunShadows!==g||L.numDirectionalShadows!==R||L.numPointShadows!==A||L.numSpotShadows!==x||L.numSpotMaps!==E||L.numLightProbes!==U)&&(n.sun.length=d,n.directional.length=m,n.spot.length=S,n.rectArea.length=y,n.point.length=p,n.hemi.length=M,n.sunShadow.length=g,n.sunShadowMap.length=g,n.sunShadowMatrix.length=v,n.sunShadowCascade.length=v,n.directionalShadow.length=R,n.directionalShadowMap.length=R,n.directionalShadowMatrix.length=R,n.pointShadow.length=A,n.pointShadowMap.length=A,n.pointShadowMatrix.length=A,n.spotShadow.length=x,n.spotShadowMap.length=x,n.spotLightMatrix.length=x+E-z,n.spotLightMap.length=E,n.numSpotLightShadowsWithMaps=z,n.numLightProbes=U,L.sunLength=d,L.directionalLength=m,L.pointLength=p,L.spotLength=S,L.rectAreaLength=y,L.hemiLength=M,L.numSunShadows=g,L.numDirectionalShadows=R,L.numPointShadows=A,L.numSpotShadows=x,L.numSpotMaps=E,L.numLightProbes=U,n.version=Ib++)}function l(c,h){let u=0,f=0,d=0,g=0,v=0,m=0,p=h.matrixWorldInverse;for(let S=0,y=c.length;S<y;S++){let M=c[S];if(M.isSunLight){let R=n.sun[u];R.direction.setFromMatrixPosition(M.matrixWorld),R.direction.transformDirection(p),u++}else if(M.isDirectionalLight){let R=n.directional[f];R.direction.setFromMatrixPosition(M.matrixWorld),s.setFromMatrixPosition(M.target.matrixWorld),R.direction.sub(s),R.direction.transformDirection(p),f++}else if(M.isSpotLight){let R=n.spot[g];R.position.setFromMatrixPosition(M.matrixWorld),R.position.applyMatrix4(p),R.direction.setFromMatrixPosition(M.matrixWorld),s.setFromMatrixPosition(M.target.matrixWorld),R.direction.sub(s),R.direction.transformDirection(p),g++}else if(M.isRectAreaLight){let R=n.rectArea[v];R.position.setFromMatrixPosition(M.matrixWorld),R.position.applyMatrix4(p),o.identity(),r.copy(M.matrixWorld),r.premultiply(p),o.extractRotation(r),R.halfWidth.set(M.width*.5,0,0),R.halfHeight.set(0,M.height*.5,0),R.halfWidth.applyMatrix4(o),R.halfHeight.applyMatrix4(o),v++}else if(M.isPointLight){let R=n.point[d];R.position.setFromMatrixPosition(M.matrixWorld),R.position.applyMatrix4(p),d++}else if(M.isHemisphereLight){let R=n.hemi[m];R.direction.setFromMatrixPosition(M.matrixWorld),R.direction.transformDirection(p),m++}}}return{setup:a,setupView:l,state:n}}function Fm(i){let t=new Nb(i),e=[],n=[],s=[];function r(u){h.camera=u,e.length=0,n.length=0,s.length=0}function o(u){u.isLightProbeGrid?s.push(u):e.push(u)}function a(u){n.push(u)}function l(){t.setup(e),s.sort((u,f)=>u.priority-f.priority||u.id-f.id)}function c(u){t.setupView(e,u)}let h={lightsArray:e,shadowsArray:n,lightProbeGridArray:s,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:h,setupLights:l,setupLightsView:c,pushLight:o,pushShadow:a}}function Db(i){let t=new WeakMap;function e(s,r=0){let o=t.get(s),a;return o===void 0?(a=new Fm(i),t.set(s,[a])):r>=o.length?(a=new Fm(i),o.push(a)):a=o[r],a}function n(){t=new WeakMap}return{get:e,dispose:n}}var Ub=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,Fb=`uniform sampler2D shadow_pass;
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
}`,Ob=[new $(1,0,0),new $(-1,0,0),new $(0,1,0),new $(0,-1,0),new $(0,0,1),new $(0,0,-1)],Bb=[new $(0,-1,0),new $(0,-1,0),new $(0,0,1),new $(0,0,-1),new $(0,-1,0),new $(0,-1,0)],Om=new Ie,Ta=new $,of=new $;function kb(i,t,e){let n=new or,s=new pe,r=new pe,o=new De,a=new jl,l=new Ql,c={},h=e.maxTextureSize,u={[Ki]:Yn,[Yn]:Ki,[$n]:$n},f=new Un({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new pe},radius:{value:4}},vertexShader:Ub,fragmentShader:Fb}),d=f.clone();d.defines.HORIZONTAL_PASS=1;let g=new Rn;g.setAttribute("position",new pn(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let v=new Dn(g,f),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=da;let p=this.type;this.render=function(A,x,E){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||A.length===0)return;this.type===Np&&(Yt("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=da);let z=i.getRenderTarget(),U=i.getActiveCubeFace(),L=i.getActiveMipmapLevel(),H=i.state;H.setBlending(ar),H.buffers.depth.getReversed()===!0?H.buffers.color.setClear(0,0,0,0):H.buffers.color.setClear(1,1,1,1),H.buffers.depth.setTest(!0),H.setScissorTest(!1);let W=p!==this.type;W&&x.traverse(function(N){N.material&&(Array.isArray(N.material)?N.material.forEach(G=>G.needsUpdate=!0):N.material.needsUpdate=!0)});for(let N=0,G=A.length;N<G;N++){let J=A[N],V=J.shadow;if(V===void 0){Yt("WebGLShadowMap:",J,"has no shadow.");continue}if(V.autoUpdate===!1&&V.needsUpdate===!1)continue;s.copy(V.mapSize);let ct=V.getFrameExtents();s.multiply(ct),r.copy(V.mapSize),(s.x>h||s.y>h)&&(s.x>h&&(r.x=Math.floor(h/ct.x),s.x=r.x*ct.x,V.mapSize.x=r.x),s.y>h&&(r.y=Math.floor(h/ct.y),s.y=r.y*ct.y,V.mapSize.y=r.y));let K=i.state.buffers.depth.getReversed();if(V.camera._reversedDepth=K,V.map===null||W===!0){if(V.map!==null&&(V.map.depthTexture!==null&&(V.map.depthTexture.dispose(),V.map.depthTexture=null),V.map.dispose()),this.type===oo){if(J.isPointLight){Yt("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}V.map=new ri(s.x,s.y,{format:Xs,type:Li,minFilter:qn,magFilter:qn,generateMipmaps:!1}),V.map.texture.name=J.name+".shadowMap",V.map.depthTexture=new _s(s.x,s.y,xi),V.map.depthTexture.name=J.name+".shadowMapDepth",V.map.depthTexture.format=ms,V.map.depthTexture.compareFunction=null,V.map.depthTexture.minFilter=Tn,V.map.depthTexture.magFilter=Tn}else J.isPointLight?(V.map=new Ea(s.x),V.map.depthTexture=new sa(s.x,Ii)):(V.map=new ri(s.x,s.y),V.map.depthTexture=new _s(s.x,s.y,Ii)),V.map.depthTexture.name=J.name+".shadowMap",V.map.depthTexture.format=ms,this.type===da?(V.map.depthTexture.compareFunction=K?Xu:Wu,V.map.depthTexture.minFilter=qn,V.map.depthTexture.magFilter=qn):(V.map.depthTexture.compareFunction=null,V.map.depthTexture.minFilter=Tn,V.map.depthTexture.magFilter=Tn);V.camera.updateProjectionMatrix()}V.map.isWebGLCubeRenderTarget!==!0&&(V.map.width!==s.x||V.map.height!==s.y)&&V.map.setSize(s.x,s.y);let Q=V.map.isWebGLCubeRenderTarget?6:V.getViewportCount();J.isPointLight!==!0&&V.updateMatrices(J,E);let st=(V.camera.layers.mask&4294967294)!==0?V.camera.layers:E.layers;for(let ft=0;ft<Q;ft++){let ut=V.getCamera(ft);if(J.isPointLight){let tt=V.camera,mt=V.matrix,_t=J.distance||tt.far;_t!==tt.far&&(tt.far=_t,tt.updateProjectionMatrix()),Ta.setFromMatrixPosition(J.matrixWorld),tt.position.copy(Ta),of.copy(tt.position),of.add(Ob[ft]),tt.up.copy(Bb[ft]),tt.lookAt(of),tt.updateMatrixWorld(),mt.makeTranslation(-Ta.x,-Ta.y,-Ta.z),Om.multiplyMatrices(tt.projectionMatrix,tt.matrixWorldInverse),V._frustum.setFromProjectionMatrix(Om,tt.coordinateSystem,tt.reversedDepth)}if(V.map.isWebGLCubeRenderTarget)i.setRenderTarget(V.map,ft),i.clear();else{ft===0&&(i.setRenderTarget(V.map),i.clear());let tt=V.getViewport(ft);o.set(r.x*tt.x,r.y*tt.y,r.x*tt.z,r.y*tt.w),H.viewport(o)}n=V.getFrustum(ft),M(x,E,ut,J,st,this.type)}V.isPointLightShadow!==!0&&this.type===oo&&S(V,E),V.needsUpdate=!1}p=this.type,m.needsUpdate=!1,i.setRenderTarget(z,U,L)};function S(A,x){let E=t.update(v);f.defines.VSM_SAMPLES!==A.blurSamples&&(f.defines.VSM_SAMPLES=A.blurSamples,d.defines.VSM_SAMPLES=A.blurSamples,f.needsUpdate=!0,d.needsUpdate=!0),A.mapPass===null?A.mapPass=new ri(s.x,s.y,{format:Xs,type:Li}):(A.mapPass.width!==A.map.width||A.mapPass.height!==A.map.height)&&A.mapPass.setSize(A.map.width,A.map.height),f.uniforms.shadow_pass.value=A.map.depthTexture,f.uniforms.resolution.value.set(A.map.width,A.map.height),f.uniforms.radius.value=A.radius,i.setRenderTarget(A.mapPass),i.clear(),i.renderBufferDirect(x,null,E,f,v,null),d.uniforms.shadow_pass.value=A.mapPass.texture,d.uniforms.resolution.value.set(A.map.width,A.map.height),d.uniforms.radius.value=A.radius,i.setRenderTarget(A.map),i.clear(),i.renderBufferDirect(x,null,E,d,v,null)}function y(A,x,E,z){let U=null,L=E.isPointLight===!0?A.customDistanceMaterial:A.customDepthMaterial;if(L!==void 0)U=L;else if(U=E.isPointLight===!0?l:a,i.localClippingEnabled&&x.clipShadows===!0&&Array.isArray(x.clippingPlanes)&&x.clippingPlanes.length!==0||x.displacementMap&&x.displacementScale!==0||x.alphaMap&&x.alphaTest>0||x.map&&x.alphaTest>0||x.alphaToCoverage===!0){let H=U.uuid,W=x.uuid,N=c[H];N===void 0&&(N={},c[H]=N);let G=N[W];G===void 0&&(G=U.clone(),N[W]=G,x.addEventListener("dispose",R)),U=G}if(U.visible=x.visible,U.wireframe=x.wireframe,z===oo?U.side=x.shadowSide!==null?x.shadowSide:x.side:U.side=x.shadowSide!==null?x.shadowSide:u[x.side],U.alphaMap=x.alphaMap,U.alphaTest=x.alphaToCoverage===!0?.5:x.alphaTest,U.map=x.map,U.clipShadows=x.clipShadows,U.clippingPlanes=x.clippingPlanes,U.clipIntersection=x.clipIntersection,U.displacementMap=x.displacementMap,U.displacementScale=x.displacementScale,U.displacementBias=x.displacementBias,U.wireframeLinewidth=x.wireframeLinewidth,U.linewidth=x.linewidth,E.isPointLight===!0&&U.isMeshDistanceMaterial===!0){let H=i.properties.get(U);H.light=E}return U}function M(A,x,E,z,U,L){if(A.visible===!1)return;if(A.layers.test(U)&&(A.isMesh||A.isLine||A.isPoints)&&(A.castShadow||A.receiveShadow&&L===oo)&&(!A.frustumCulled||A.intersectsFrustum(n))){A.modelViewMatrix.multiplyMatrices(E.matrixWorldInverse,A.matrixWorld);let N=t.update(A),G=A.material;if(Array.isArray(G)){let J=N.groups;for(let V=0,ct=J.length;V<ct;V++){let K=J[V],Q=G[K.materialIndex];if(Q&&Q.visible){let st=y(A,Q,z,L);A.onBeforeShadow(i,A,x,E,N,st,K),i.renderBufferDirect(E,null,N,st,A,K),A.onAfterShadow(i,A,x,E,N,st,K)}}}else if(G.visible){let J=y(A,G,z,L);A.onBeforeShadow(i,A,x,E,N,J,null),i.renderBufferDirect(E,null,N,J,A,null),A.onAfterShadow(i,A,x,E,N,J,null)}}let W=A.children;for(let N=0,G=W.length;N<G;N++)M(W[N],x,E,z,U,L)}function R(A){A.target.removeEventListener("dispose",R);for(let E in c){let z=c[E],U=A.target.uuid;U in z&&(z[U].dispose(),delete z[U])}}}function zb(i,t){function e(){let F=!1,rt=new De,nt=null,wt=new De(0,0,0,0);return{setMask:function(gt){nt!==gt&&!F&&(i.colorMask(gt,gt,gt,gt),nt=gt)},setLocked:function(gt){F=gt},setClear:function(gt,Mt,Gt,Zt,lt){lt===!0&&(gt*=Zt,Mt*=Zt,Gt*=Zt),rt.set(gt,Mt,Gt,Zt),wt.equals(rt)===!1&&(i.clearColor(gt,Mt,Gt,Zt),wt.copy(rt))},reset:function(){F=!1,nt=null,wt.set(-1,0,0,0)}}}function n(){let F=!1,rt=!1,nt=null,wt=null,gt=null;return{setReversed:function(Mt){if(rt!==Mt){let Gt=t.get("EXT_clip_control");Mt?Gt.clipControlEXT(Gt.LOWER_LEFT_EXT,Gt.ZERO_TO_ONE_EXT):Gt.clipControlEXT(Gt.LOWER_LEFT_EXT,Gt.NEGATIVE_ONE_TO_ONE_EXT),rt=Mt;let Zt=gt;gt=null,this.setClear(Zt)}},getReversed:function(){return rt},setTest:function(Mt){Mt?St(i.DEPTH_TEST):Ht(i.DEPTH_TEST)},setMask:function(Mt){nt!==Mt&&!F&&(i.depthMask(Mt),nt=Mt)},setFunc:function(Mt){if(rt&&(Mt=cm[Mt]),wt!==Mt){switch(Mt){case Ll:i.depthFunc(i.NEVER);break;case Nl:i.depthFunc(i.ALWAYS);break;case Dl:i.depthFunc(i.LESS);break;case Jr:i.depthFunc(i.LEQUAL);break;case Kr:i.depthFunc(i.EQUAL);break;case Ul:i.depthFunc(i.GEQUAL);break;case Fl:i.depthFunc(i.GREATER);break;case Ol:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}wt=Mt}},setLocked:function(Mt){F=Mt},setClear:function(Mt){gt!==Mt&&(gt=Mt,rt&&(Mt=1-Mt),i.clearDepth(Mt))},reset:function(){F=!1,nt=null,wt=null,gt=null,rt=!1}}}function s(){let F=!1,rt=null,nt=null,wt=null,gt=null,Mt=null,Gt=null,Zt=null,lt=null;return{setTest:function(Ot){F||(Ot?St(i.STENCIL_TEST):Ht(i.STENCIL_TEST))},setMask:function(Ot){rt!==Ot&&!F&&(i.stencilMask(Ot),rt=Ot)},setFunc:function(Ot,Jt,Rt){(nt!==Ot||wt!==Jt||gt!==Rt)&&(i.stencilFunc(Ot,Jt,Rt),nt=Ot,wt=Jt,gt=Rt)},setOp:function(Ot,Jt,Rt){(Mt!==Ot||Gt!==Jt||Zt!==Rt)&&(i.stencilOp(Ot,Jt,Rt),Mt=Ot,Gt=Jt,Zt=Rt)},setLocked:function(Ot){F=Ot},setClear:function(Ot){lt!==Ot&&(i.clearStencil(Ot),lt=Ot)},reset:function(){F=!1,rt=null,nt=null,wt=null,gt=null,Mt=null,Gt=null,Zt=null,lt=null}}}let r=new e,o=new n,a=new s,l={},c=new WeakMap,h={},u={},f={},d=new WeakMap,g=[],v=null,m=!1,p=null,S=null,y=null,M=null,R=null,A=null,x=null,E=new me(0,0,0),z=0,U=!1,L=null,H=null,W=null,N=null,G=null,J=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS),V=!1,ct=0,K=i.getParameter(i.VERSION);K.indexOf("WebGL")!==-1?(ct=parseFloat(/^WebGL (\d)/.exec(K)[1]),V=ct>=1):K.indexOf("OpenGL ES")!==-1&&(ct=parseFloat(/^OpenGL ES (\d)/.exec(K)[1]),V=ct>=2);let Q=null,st={},ft=i.getParameter(i.SCISSOR_BOX),ut=i.getParameter(i.VIEWPORT),tt=new De().fromArray(ft),mt=new De().fromArray(ut);function _t(F,rt,nt,wt){let gt=new Uint8Array(4),Mt=i.createTexture();i.bindTexture(F,Mt),i.texParameteri(F,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(F,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Gt=0;Gt<nt;Gt++)F===i.TEXTURE_3D||F===i.TEXTURE_2D_ARRAY?i.texImage3D(rt,0,i.RGBA,1,1,wt,0,i.RGBA,i.UNSIGNED_BYTE,gt):i.texImage2D(rt+Gt,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,gt);return Mt}let Et={};Et[i.TEXTURE_2D]=_t(i.TEXTURE_2D,i.TEXTURE_2D,1),Et[i.TEXTURE_CUBE_MAP]=_t(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),Et[i.TEXTURE_2D_ARRAY]=_t(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),Et[i.TEXTURE_3D]=_t(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),St(i.DEPTH_TEST),o.setFunc(Jr),en(!1),Ce(wu),St(i.CULL_FACE),Xe(ar);function St(F){h[F]!==!0&&(i.enable(F),h[F]=!0)}function Ht(F){h[F]!==!1&&(i.disable(F),h[F]=!1)}function ne(F,rt){return f[F]!==rt?(i.bindFramebuffer(F,rt),f[F]=rt,F===i.DRAW_FRAMEBUFFER&&(f[i.FRAMEBUFFER]=rt),F===i.FRAMEBUFFER&&(f[i.DRAW_FRAMEBUFFER]=rt),!0):!1}function Vt(F,rt){let nt=g,wt=!1;if(F){nt=d.get(rt),nt===void 0&&(nt=[],d.set(rt,nt));let gt=F.textures;if(nt.length!==gt.length||nt[0]!==i.COLOR_ATTACHMENT0){for(let Mt=0,Gt=gt.length;Mt<Gt;Mt++)nt[Mt]=i.COLOR_ATTACHMENT0+Mt;nt.length=gt.length,wt=!0}}else nt[0]!==i.BACK&&(nt[0]=i.BACK,wt=!0);wt&&i.drawBuffers(nt)}function le(F){return v!==F?(i.useProgram(F),v=F,!0):!1}let re={[vs]:i.FUNC_ADD,[Dp]:i.FUNC_SUBTRACT,[Up]:i.FUNC_REVERSE_SUBTRACT};re[fc]=i.MIN,re[Fp]=i.MAX;let te={[Op]:i.ZERO,[ma]:i.ONE,[Bp]:i.SRC_COLOR,[ga]:i.SRC_ALPHA,[Wp]:i.SRC_ALPHA_SATURATE,[Gp]:i.DST_COLOR,[zp]:i.DST_ALPHA,[kp]:i.ONE_MINUS_SRC_COLOR,[xa]:i.ONE_MINUS_SRC_ALPHA,[Hp]:i.ONE_MINUS_DST_COLOR,[Vp]:i.ONE_MINUS_DST_ALPHA,[Xp]:i.CONSTANT_COLOR,[qp]:i.ONE_MINUS_CONSTANT_COLOR,[Yp]:i.CONSTANT_ALPHA,[$p]:i.ONE_MINUS_CONSTANT_ALPHA};function Xe(F,rt,nt,wt,gt,Mt,Gt,Zt,lt,Ot){if(F===ar){m===!0&&(Ht(i.BLEND),m=!1);return}if(m===!1&&(St(i.BLEND),m=!0),F!==pa){if(F!==p||Ot!==U){if((S!==vs||R!==vs)&&(i.blendEquation(i.FUNC_ADD),S=vs,R=vs),Ot)switch(F){case ao:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Tu:i.blendFunc(i.ONE,i.ONE);break;case Au:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case Eu:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:jt("WebGLState: Invalid blending: ",F);break}else switch(F){case ao:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Tu:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case Au:jt("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case Eu:jt("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:jt("WebGLState: Invalid blending: ",F);break}y=null,M=null,A=null,x=null,E.set(0,0,0),z=0,p=F,U=Ot}return}gt=gt||rt,Mt=Mt||nt,Gt=Gt||wt,(rt!==S||gt!==R)&&(i.blendEquationSeparate(re[rt],re[gt]),S=rt,R=gt),(nt!==y||wt!==M||Mt!==A||Gt!==x)&&(i.blendFuncSeparate(te[nt],te[wt],te[Mt],te[Gt]),y=nt,M=wt,A=Mt,x=Gt),(Zt.equals(E)===!1||lt!==z)&&(i.blendColor(Zt.r,Zt.g,Zt.b,lt),E.copy(Zt),z=lt),p=F,U=!1}function Oe(F,rt){F.side===$n?Ht(i.CULL_FACE):St(i.CULL_FACE);let nt=F.side===Yn;rt&&(nt=!nt),en(nt),F.blending===ao&&F.transparent===!1?Xe(ar):Xe(F.blending,F.blendEquation,F.blendSrc,F.blendDst,F.blendEquationAlpha,F.blendSrcAlpha,F.blendDstAlpha,F.blendColor,F.blendAlpha,F.premultipliedAlpha),o.setFunc(F.depthFunc),o.setTest(F.depthTest),o.setMask(F.depthWrite),r.setMask(F.colorWrite);let wt=F.stencilWrite;a.setTest(wt),wt&&(a.setMask(F.stencilWriteMask),a.setFunc(F.stencilFunc,F.stencilRef,F.stencilFuncMask),a.setOp(F.stencilFail,F.stencilZFail,F.stencilZPass)),_e(F.polygonOffset,F.polygonOffsetFactor,F.polygonOffsetUnits),F.alphaToCoverage===!0?St(i.SAMPLE_ALPHA_TO_COVERAGE):Ht(i.SAMPLE_ALPHA_TO_COVERAGE)}function en(F){L!==F&&(F?i.frontFace(i.CW):i.frontFace(i.CCW),L=F)}function Ce(F){F!==Ip?(St(i.CULL_FACE),F!==H&&(F===wu?i.cullFace(i.BACK):F===Lp?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):Ht(i.CULL_FACE),H=F}function vn(F){F!==W&&(V&&i.lineWidth(F),W=F)}function _e(F,rt,nt){F?(St(i.POLYGON_OFFSET_FILL),(N!==rt||G!==nt)&&(N=rt,G=nt,o.getReversed()&&(rt=-rt,nt=-nt),i.polygonOffset(rt,nt))):Ht(i.POLYGON_OFFSET_FILL)}function un(F){F?St(i.SCISSOR_TEST):Ht(i.SCISSOR_TEST)}function $e(F){F===void 0&&(F=i.TEXTURE0+J-1),Q!==F&&(i.activeTexture(F),Q=F)}function nn(F,rt,nt){nt===void 0&&(Q===null?nt=i.TEXTURE0+J-1:nt=Q);let wt=st[nt];wt===void 0&&(wt={type:void 0,texture:void 0},st[nt]=wt),(wt.type!==F||wt.texture!==rt)&&(Q!==nt&&(i.activeTexture(nt),Q=nt),i.bindTexture(F,rt||Et[F]),wt.type=F,wt.texture=rt)}function O(){let F=st[Q];F!==void 0&&F.type!==void 0&&(i.bindTexture(F.type,null),F.type=void 0,F.texture=void 0)}function Ct(){try{i.compressedTexImage2D(...arguments)}catch(F){jt("WebGLState:",F)}}function qt(){try{i.compressedTexImage3D(...arguments)}catch(F){jt("WebGLState:",F)}}function ie(){try{i.texSubImage2D(...arguments)}catch(F){jt("WebGLState:",F)}}function bt(){try{i.texSubImage3D(...arguments)}catch(F){jt("WebGLState:",F)}}function Le(){try{i.compressedTexSubImage2D(...arguments)}catch(F){jt("WebGLState:",F)}}function zt(){try{i.compressedTexSubImage3D(...arguments)}catch(F){jt("WebGLState:",F)}}function Xt(){try{i.texStorage2D(...arguments)}catch(F){jt("WebGLState:",F)}}function C(){try{i.texStorage3D(...arguments)}catch(F){jt("WebGLState:",F)}}function b(){try{i.texImage2D(...arguments)}catch(F){jt("WebGLState:",F)}}function X(){try{i.texImage3D(...arguments)}catch(F){jt("WebGLState:",F)}}function ht(F){return u[F]!==void 0?u[F]:i.getParameter(F)}function ot(F,rt){u[F]!==rt&&(i.pixelStorei(F,rt),u[F]=rt)}function xt(F){tt.equals(F)===!1&&(i.scissor(F.x,F.y,F.z,F.w),tt.copy(F))}function vt(F){mt.equals(F)===!1&&(i.viewport(F.x,F.y,F.z,F.w),mt.copy(F))}function et(F,rt){let nt=c.get(rt);nt===void 0&&(nt=new WeakMap,c.set(rt,nt));let wt=nt.get(F);wt===void 0&&(wt=i.getUniformBlockIndex(rt,F.name),i.uniformBlockBinding(rt,wt,wt),nt.set(F,wt))}function it(F,rt,nt){let gt=c.get(rt).get(F);l[gt]!==nt&&(i.bindBufferBase(i.UNIFORM_BUFFER,gt,nt),l[gt]=nt)}function pt(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),i.pixelStorei(i.PACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,!1),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,i.BROWSER_DEFAULT_WEBGL),i.pixelStorei(i.PACK_ROW_LENGTH,0),i.pixelStorei(i.PACK_SKIP_PIXELS,0),i.pixelStorei(i.PACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_ROW_LENGTH,0),i.pixelStorei(i.UNPACK_IMAGE_HEIGHT,0),i.pixelStorei(i.UNPACK_SKIP_PIXELS,0),i.pixelStorei(i.UNPACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_SKIP_IMAGES,0),h={},u={},Q=null,st={},f={},l={},d=new WeakMap,g=[],v=null,m=!1,p=null,S=null,y=null,M=null,R=null,A=null,x=null,E=new me(0,0,0),z=0,U=!1,L=null,H=null,W=null,N=null,G=null,tt.set(0,0,i.canvas.width,i.canvas.height),mt.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:St,disable:Ht,bindFramebuffer:ne,drawBuffers:Vt,useProgram:le,setBlending:Xe,setMaterial:Oe,setFlipSided:en,setCullFace:Ce,setLineWidth:vn,setPolygonOffset:_e,setScissorTest:un,activeTexture:$e,bindTexture:nn,unbindTexture:O,compressedTexImage2D:Ct,compressedTexImage3D:qt,texImage2D:b,texImage3D:X,pixelStorei:ot,getParameter:ht,updateUBOMapping:et,uniformBlockBinding:it,texStorage2D:Xt,texStorage3D:C,texSubImage2D:ie,texSubImage3D:bt,compressedTexSubImage2D:Le,compressedTexSubImage3D:zt,scissor:xt,viewport:vt,reset:pt}}function Vb(i,t,e,n,s,r,o){let a=t.has("WEBGL_multisampled_render_to_texture")?t.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new pe,h=new WeakMap,u=new Set,f,d=new WeakMap,g=new Set,v=new FinalizationRegistry(C=>g.delete(C)),m=!1;try{m=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function p(C,b){return m?new OffscreenCanvas(C,b):qo("canvas")}function S(C,b,X){let ht=1,ot=Xt(C);if((ot.width>X||ot.height>X)&&(ht=X/Math.max(ot.width,ot.height)),ht<1)if(typeof HTMLImageElement<"u"&&C instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&C instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&C instanceof ImageBitmap||typeof VideoFrame<"u"&&C instanceof VideoFrame){let xt=Math.floor(ht*ot.width),vt=Math.floor(ht*ot.height);f===void 0&&(f=p(xt,vt));let et=b?p(xt,vt):f;return et.width=xt,et.height=vt,et.getContext("2d").drawImage(C,0,0,xt,vt),Yt("WebGLRenderer: Texture has been resized from ("+ot.width+"x"+ot.height+") to ("+xt+"x"+vt+")."),et}else return"data"in C&&Yt("WebGLRenderer: Image in DataTexture is too big ("+ot.width+"x"+ot.height+")."),C;return C}function y(C){return C.generateMipmaps}function M(C){i.generateMipmap(C)}function R(C){return C.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:C.isWebGL3DRenderTarget?i.TEXTURE_3D:C.isWebGLArrayRenderTarget||C.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function A(C,b,X,ht,ot,xt=!1){if(C!==null){if(i[C]!==void 0)return i[C];Yt("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+C+"'")}let vt;ht&&(vt=t.get("EXT_texture_norm16"),vt||Yt("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let et=b;if(b===i.RED&&(X===i.FLOAT&&(et=i.R32F),X===i.HALF_FLOAT&&(et=i.R16F),X===i.UNSIGNED_BYTE&&(et=i.R8),X===i.UNSIGNED_SHORT&&vt&&(et=vt.R16_EXT),X===i.SHORT&&vt&&(et=vt.R16_SNORM_EXT)),b===i.RED_INTEGER&&(X===i.UNSIGNED_BYTE&&(et=i.R8UI),X===i.UNSIGNED_SHORT&&(et=i.R16UI),X===i.UNSIGNED_INT&&(et=i.R32UI),X===i.BYTE&&(et=i.R8I),X===i.SHORT&&(et=i.R16I),X===i.INT&&(et=i.R32I)),b===i.RG&&(X===i.FLOAT&&(et=i.RG32F),X===i.HALF_FLOAT&&(et=i.RG16F),X===i.UNSIGNED_BYTE&&(et=i.RG8),X===i.UNSIGNED_SHORT&&vt&&(et=vt.RG16_EXT),X===i.SHORT&&vt&&(et=vt.RG16_SNORM_EXT)),b===i.RG_INTEGER&&(X===i.UNSIGNED_BYTE&&(et=i.RG8UI),X===i.UNSIGNED_SHORT&&(et=i.RG16UI),X===i.UNSIGNED_INT&&(et=i.RG32UI),X===i.BYTE&&(et=i.RG8I),X===i.SHORT&&(et=i.RG16I),X===i.INT&&(et=i.RG32I)),b===i.RGB_INTEGER&&(X===i.UNSIGNED_BYTE&&(et=i.RGB8UI),X===i.UNSIGNED_SHORT&&(et=i.RGB16UI),X===i.UNSIGNED_INT&&(et=i.RGB32UI),X===i.BYTE&&(et=i.RGB8I),X===i.SHORT&&(et=i.RGB16I),X===i.INT&&(et=i.RGB32I)),b===i.RGBA_INTEGER&&(X===i.UNSIGNED_BYTE&&(et=i.RGBA8UI),X===i.UNSIGNED_SHORT&&(et=i.RGBA16UI),X===i.UNSIGNED_INT&&(et=i.RGBA32UI),X===i.BYTE&&(et=i.RGBA8I),X===i.SHORT&&(et=i.RGBA16I),X===i.INT&&(et=i.RGBA32I)),b===i.RGB&&(X===i.UNSIGNED_SHORT&&vt&&(et=vt.RGB16_EXT),X===i.SHORT&&vt&&(et=vt.RGB16_SNORM_EXT),X===i.UNSIGNED_INT_5_9_9_9_REV&&(et=i.RGB9_E5),X===i.UNSIGNED_INT_10F_11F_11F_REV&&(et=i.R11F_G11F_B10F)),b===i.RGBA){let it=xt?Wo:de.getTransfer(ot);X===i.FLOAT&&(et=i.RGBA32F),X===i.HALF_FLOAT&&(et=i.RGBA16F),X===i.UNSIGNED_BYTE&&(et=it===we?i.SRGB8_ALPHA8:i.RGBA8),X===i.UNSIGNED_SHORT&&vt&&(et=vt.RGBA16_EXT),X===i.SHORT&&vt&&(et=vt.RGBA16_SNORM_EXT),X===i.UNSIGNED_SHORT_4_4_4_4&&(et=i.RGBA4),X===i.UNSIGNED_SHORT_5_5_5_1&&(et=i.RGB5_A1)}return(et===i.R16F||et===i.R32F||et===i.RG16F||et===i.RG32F||et===i.RGBA16F||et===i.RGBA32F)&&t.get("EXT_color_buffer_float"),et}function x(C,b){let X;return C?b===null||b===Ii||b===cr?X=i.DEPTH24_STENCIL8:b===xi?X=i.DEPTH32F_STENCIL8:b===co&&(X=i.DEPTH24_STENCIL8,Yt("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):b===null||b===Ii||b===cr?X=i.DEPTH_COMPONENT24:b===xi?X=i.DEPTH_COMPONENT32F:b===co&&(X=i.DEPTH_COMPONENT16),X}function E(C,b){return y(C)===!0||C.isFramebufferTexture&&C.minFilter!==Tn&&C.minFilter!==qn?Math.log2(Math.max(b.width,b.height))+1:C.mipmaps.length>0?C.mipmaps.length:C.isCompressedTexture&&Array.isArray(C.image)?b.mipmaps.length:1}function z(C){let b=new WeakRef(C);n.get(C).__ref=b,g.add(b),v.register(C,b,b)}function U(C){let b=n.get(C).__ref;b!==void 0&&(g.delete(b),v.unregister(b))}function L(C){W(C.target)}function H(C){N(C.target)}function W(C){C.removeEventListener("dispose",L),U(C),J(C),C.isVideoTexture&&h.delete(C),C.isHTMLTexture&&u.delete(C)}function N(C){C.removeEventListener("dispose",H),U(C),ct(C)}function G(){for(let C of g){let b=C.deref();b!==void 0&&(b.isRenderTarget===!0?N(b):W(b))}g.clear(),u.clear()}function J(C){let b=n.get(C);if(b.__webglInit===void 0)return;let X=C.source,ht=d.get(X);if(ht){let ot=ht[b.__cacheKey];ot.usedTimes--,ot.usedTimes===0&&V(C),Object.keys(ht).length===0&&d.delete(X)}n.remove(C)}function V(C){let b=n.get(C);i.deleteTexture(b.__webglTexture);let X=C.source,ht=d.get(X);delete ht[b.__cacheKey],o.memory.textures--}function ct(C){let b=n.get(C);b.__depthDisposeCallback&&b.__depthDisposeCallback();let X=C.depthTexture;if(X&&X.renderTarget===C&&W(X),C.isWebGLCubeRenderTarget)for(let ot=0;ot<6;ot++){if(Array.isArray(b.__webglFramebuffer[ot]))for(let xt=0;xt<b.__webglFramebuffer[ot].length;xt++)i.deleteFramebuffer(b.__webglFramebuffer[ot][xt]);else i.deleteFramebuffer(b.__webglFramebuffer[ot]);b.__webglDepthbuffer&&i.deleteRenderbuffer(b.__webglDepthbuffer[ot])}else{if(Array.isArray(b.__webglFramebuffer))for(let ot=0;ot<b.__webglFramebuffer.length;ot++)i.deleteFramebuffer(b.__webglFramebuffer[ot]);else i.deleteFramebuffer(b.__webglFramebuffer);if(b.__webglDepthbuffer&&i.deleteRenderbuffer(b.__webglDepthbuffer),b.__webglMultisampledFramebuffer&&i.deleteFramebuffer(b.__webglMultisampledFramebuffer),b.__webglColorRenderbuffer)for(let ot=0;ot<b.__webglColorRenderbuffer.length;ot++)b.__webglColorRenderbuffer[ot]&&i.deleteRenderbuffer(b.__webglColorRenderbuffer[ot]);b.__webglDepthRenderbuffer&&i.deleteRenderbuffer(b.__webglDepthRenderbuffer)}let ht=C.textures;for(let ot=0,xt=ht.length;ot<xt;ot++){let vt=n.get(ht[ot]);vt.__webglTexture&&(i.deleteTexture(vt.__webglTexture),o.memory.textures--),n.remove(ht[ot])}n.remove(C)}let K=0;function Q(){K=0}function st(){return K}function ft(C){K=C}function ut(){let C=K;return C>=s.maxTextures&&Yt("WebGLTextures: Trying to use "+(C+1)+" texture units while this GPU supports only "+s.maxTextures),K+=1,C}function tt(C){let b=[];return b.push(C.wrapS),b.push(C.wrapT),b.push(C.wrapR||0),b.push(C.magFilter),b.push(C.minFilter),b.push(C.anisotropy),b.push(C.internalFormat),b.push(C.format),b.push(C.type),b.push(C.generateMipmaps),b.push(C.mipmapsAutoUpdate),b.push(C.premultiplyAlpha),b.push(C.flipY),b.push(C.unpackAlignment),b.push(C.colorSpace),b.join()}function mt(C,b){let X=n.get(C);if(C.isVideoTexture&&Le(C),C.isRenderTargetTexture===!1&&C.isExternalTexture!==!0&&C.version>0&&X.__version!==C.version){let ht=C.image;if(ht===null)Yt("WebGLRenderer: Texture marked for update but no image data found.");else if(ht.complete===!1)Yt("WebGLRenderer: Texture marked for update but image is incomplete");else{Oe(X,C,b);return}}else C.isExternalTexture&&(X.__webglTexture=C.sourceTexture?C.sourceTexture:null);e.bindTexture(i.TEXTURE_2D,X.__webglTexture,i.TEXTURE0+b)}function _t(C,b){let X=n.get(C);if(C.isRenderTargetTexture===!1&&C.version>0&&X.__version!==C.version){Oe(X,C,b);return}else C.isExternalTexture&&(X.__webglTexture=C.sourceTexture?C.sourceTexture:null);e.bindTexture(i.TEXTURE_2D_ARRAY,X.__webglTexture,i.TEXTURE0+b)}function Et(C,b){let X=n.get(C);if(C.isRenderTargetTexture===!1&&C.version>0&&X.__version!==C.version){Oe(X,C,b);return}e.bindTexture(i.TEXTURE_3D,X.__webglTexture,i.TEXTURE0+b)}function St(C,b){let X=n.get(C);if(C.version>0&&X.__version!==C.version){en(X,C,b);return}e.bindTexture(i.TEXTURE_CUBE_MAP,X.__webglTexture,i.TEXTURE0+b)}let Ht={[Bl]:i.REPEAT,[Yi]:i.CLAMP_TO_EDGE,[kl]:i.MIRRORED_REPEAT},ne={[Tn]:i.NEAREST,[Kp]:i.NEAREST_MIPMAP_NEAREST,[_a]:i.NEAREST_MIPMAP_LINEAR,[qn]:i.LINEAR,[mc]:i.LINEAR_MIPMAP_NEAREST,[ys]:i.LINEAR_MIPMAP_LINEAR},Vt={[em]:i.NEVER,[qu]:i.ALWAYS,[nm]:i.LESS,[Wu]:i.LEQUAL,[im]:i.EQUAL,[Xu]:i.GEQUAL,[sm]:i.GREATER,[rm]:i.NOTEQUAL};function le(C,b){if(b.type===xi&&t.has("OES_texture_float_linear")===!1&&(b.magFilter===qn||b.magFilter===mc||b.magFilter===_a||b.magFilter===ys||b.minFilter===qn||b.minFilter===mc||b.minFilter===_a||b.minFilter===ys)&&Yt("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(C,i.TEXTURE_WRAP_S,Ht[b.wrapS]),i.texParameteri(C,i.TEXTURE_WRAP_T,Ht[b.wrapT]),(C===i.TEXTURE_3D||C===i.TEXTURE_2D_ARRAY)&&i.texParameteri(C,i.TEXTURE_WRAP_R,Ht[b.wrapR]),i.texParameteri(C,i.TEXTURE_MAG_FILTER,ne[b.magFilter]),i.texParameteri(C,i.TEXTURE_MIN_FILTER,ne[b.minFilter]),b.compareFunction&&(i.texParameteri(C,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(C,i.TEXTURE_COMPARE_FUNC,Vt[b.compareFunction])),t.has("EXT_texture_filter_anisotropic")===!0){if(b.magFilter===Tn||b.minFilter!==_a&&b.minFilter!==ys||b.type===xi&&t.has("OES_texture_float_linear")===!1)return;if(b.anisotropy>1||n.get(b).__currentAnisotropy){let X=t.get("EXT_texture_filter_anisotropic");i.texParameterf(C,X.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(b.anisotropy,s.getMaxAnisotropy())),n.get(b).__currentAnisotropy=b.anisotropy}}}function re(C,b){let X=!1;C.__webglInit===void 0&&(C.__webglInit=!0,b.addEventListener("dispose",L),z(b));let ht=b.source,ot=d.get(ht);ot===void 0&&(ot={},d.set(ht,ot));let xt=tt(b);if(xt!==C.__cacheKey){ot[xt]===void 0&&(ot[xt]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,X=!0),ot[xt].usedTimes++;let vt=ot[C.__cacheKey];vt!==void 0&&(ot[C.__cacheKey].usedTimes--,vt.usedTimes===0&&V(b)),C.__cacheKey=xt,C.__webglTexture=ot[xt].texture}return X}function te(C,b,X){return Math.floor(Math.floor(C/X)/b)}function Xe(C,b,X,ht){let xt=C.updateRanges;if(xt.length===0)e.texSubImage2D(i.TEXTURE_2D,0,0,0,b.width,b.height,X,ht,b.data);else{xt.sort((F,rt)=>F.start-rt.start);let vt=0;for(let F=1;F<xt.length;F++){let rt=xt[vt],nt=xt[F],wt=rt.start+rt.count,gt=te(nt.start,b.width,4),Mt=te(rt.start,b.width,4);nt.start<=wt+1&&gt===Mt&&te(nt.start+nt.count-1,b.width,4)===gt?rt.count=Math.max(rt.count,nt.start+nt.count-rt.start):(++vt,xt[vt]=nt)}xt.length=vt+1;let et=e.getParameter(i.UNPACK_ROW_LENGTH),it=e.getParameter(i.UNPACK_SKIP_PIXELS),pt=e.getParameter(i.UNPACK_SKIP_ROWS);e.pixelStorei(i.UNPACK_ROW_LENGTH,b.width);for(let F=0,rt=xt.length;F<rt;F++){let nt=xt[F],wt=Math.floor(nt.start/4),gt=Math.ceil(nt.count/4),Mt=wt%b.width,Gt=Math.floor(wt/b.width),Zt=gt,lt=1;e.pixelStorei(i.UNPACK_SKIP_PIXELS,Mt),e.pixelStorei(i.UNPACK_SKIP_ROWS,Gt),e.texSubImage2D(i.TEXTURE_2D,0,Mt,Gt,Zt,lt,X,ht,b.data)}C.clearUpdateRanges(),e.pixelStorei(i.UNPACK_ROW_LENGTH,et),e.pixelStorei(i.UNPACK_SKIP_PIXELS,it),e.pixelStorei(i.UNPACK_SKIP_ROWS,pt)}}function Oe(C,b,X){let ht=i.TEXTURE_2D;(b.isDataArrayTexture||b.isCompressedArrayTexture)&&(ht=i.TEXTURE_2D_ARRAY),b.isData3DTexture&&(ht=i.TEXTURE_3D);let ot=re(C,b),xt=b.source;e.bindTexture(ht,C.__webglTexture,i.TEXTURE0+X);let vt=n.get(xt);if(xt.version!==vt.__version||ot===!0){if(e.activeTexture(i.TEXTURE0+X),(typeof ImageBitmap<"u"&&b.image instanceof ImageBitmap)===!1){let lt=de.getPrimaries(de.workingColorSpace),Ot=b.colorSpace===Ss?null:de.getPrimaries(b.colorSpace),Jt=b.colorSpace===Ss||lt===Ot?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,b.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,b.premultiplyAlpha),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Jt)}e.pixelStorei(i.UNPACK_ALIGNMENT,b.unpackAlignment);let it=S(b.image,!1,s.maxTextureSize);it=zt(b,it);let pt=r.convert(b.format,b.colorSpace),F=r.convert(b.type),rt=A(b.internalFormat,pt,F,b.normalized,b.colorSpace,b.isVideoTexture);le(ht,b);let nt,wt=b.mipmaps,gt=b.isVideoTexture!==!0,Mt=vt.__version===void 0||ot===!0,Gt=xt.dataReady,Zt=E(b,it);if(b.isDepthTexture)rt=x(b.format===Ms,b.type),Mt&&(gt?e.texStorage2D(i.TEXTURE_2D,1,rt,it.width,it.height):e.texImage2D(i.TEXTURE_2D,0,rt,it.width,it.height,0,pt,F,null));else if(b.isDataTexture)if(wt.length>0){gt&&Mt&&e.texStorage2D(i.TEXTURE_2D,Zt,rt,wt[0].width,wt[0].height);for(let lt=0,Ot=wt.length;lt<Ot;lt++)nt=wt[lt],gt?Gt&&e.texSubImage2D(i.TEXTURE_2D,lt,0,0,nt.width,nt.height,pt,F,nt.data):e.texImage2D(i.TEXTURE_2D,lt,rt,nt.width,nt.height,0,pt,F,nt.data);b.generateMipmaps=!1}else gt?(Mt&&e.texStorage2D(i.TEXTURE_2D,Zt,rt,it.width,it.height),Gt&&Xe(b,it,pt,F)):e.texImage2D(i.TEXTURE_2D,0,rt,it.width,it.height,0,pt,F,it.data);else if(b.isCompressedTexture)if(b.isCompressedArrayTexture){gt&&Mt&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Zt,rt,wt[0].width,wt[0].height,it.depth);for(let lt=0,Ot=wt.length;lt<Ot;lt++)if(nt=wt[lt],b.format!==Ni)if(pt!==null)if(gt){if(Gt)if(b.layerUpdates.size>0){let Jt=ju(nt.width,nt.height,b.format,b.type);for(let Rt of b.layerUpdates){let se=nt.data.subarray(Rt*Jt/nt.data.BYTES_PER_ELEMENT,(Rt+1)*Jt/nt.data.BYTES_PER_ELEMENT);e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,lt,0,0,Rt,nt.width,nt.height,1,pt,se)}}else e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,lt,0,0,0,nt.width,nt.height,it.depth,pt,nt.data)}else e.compressedTexImage3D(i.TEXTURE_2D_ARRAY,lt,rt,nt.width,nt.height,it.depth,0,nt.data,0,0);else Yt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else gt?Gt&&e.texSubImage3D(i.TEXTURE_2D_ARRAY,lt,0,0,0,nt.width,nt.height,it.depth,pt,F,nt.data):e.texImage3D(i.TEXTURE_2D_ARRAY,lt,rt,nt.width,nt.height,it.depth,0,pt,F,nt.data);b.layerUpdates.size>0&&b.clearLayerUpdates()}else{gt&&Mt&&e.texStorage2D(i.TEXTURE_2D,Zt,rt,wt[0].width,wt[0].height);for(let lt=0,Ot=wt.length;lt<Ot;lt++)nt=wt[lt],b.format!==Ni?pt!==null?gt?Gt&&e.compressedTexSubImage2D(i.TEXTURE_2D,lt,0,0,nt.width,nt.height,pt,nt.data):e.compressedTexImage2D(i.TEXTURE_2D,lt,rt,nt.width,nt.height,0,nt.data):Yt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):gt?Gt&&e.texSubImage2D(i.TEXTURE_2D,lt,0,0,nt.width,nt.height,pt,F,nt.data):e.texImage2D(i.TEXTURE_2D,lt,rt,nt.width,nt.height,0,pt,F,nt.data)}else if(b.isDataArrayTexture)if(gt){if(Mt&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Zt,rt,it.width,it.height,it.depth),Gt)if(b.layerUpdates.size>0){let lt=ju(it.width,it.height,b.format,b.type);for(let Ot of b.layerUpdates){let Jt=it.data.subarray(Ot*lt/it.data.BYTES_PER_ELEMENT,(Ot+1)*lt/it.data.BYTES_PER_ELEMENT);e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,Ot,it.width,it.height,1,pt,F,Jt)}b.clearLayerUpdates()}else e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,it.width,it.height,it.depth,pt,F,it.data)}else e.texImage3D(i.TEXTURE_2D_ARRAY,0,rt,it.width,it.height,it.depth,0,pt,F,it.data);else if(b.isData3DTexture)gt?(Mt&&e.texStorage3D(i.TEXTURE_3D,Zt,rt,it.width,it.height,it.depth),Gt&&e.texSubImage3D(i.TEXTURE_3D,0,0,0,0,it.width,it.height,it.depth,pt,F,it.data)):e.texImage3D(i.TEXTURE_3D,0,rt,it.width,it.height,it.depth,0,pt,F,it.data);else if(b.isFramebufferTexture){if(Mt)if(gt)e.texStorage2D(i.TEXTURE_2D,Zt,rt,it.width,it.height);else{let lt=it.width,Ot=it.height;for(let Jt=0;Jt<Zt;Jt++)e.texImage2D(i.TEXTURE_2D,Jt,rt,lt,Ot,0,pt,F,null),lt>>=1,Ot>>=1}}else if(b.isHTMLTexture){if("texElementImage2D"in i){let lt=i.canvas;if(lt.hasAttribute("layoutsubtree")||lt.setAttribute("layoutsubtree","true"),it.parentNode!==lt){lt.appendChild(it),u.add(b),lt.onpaint=Ot=>{let Jt=Ot.changedElements;for(let Rt of u)Jt.includes(Rt.image)&&(Rt.needsUpdate=!0)},lt.requestPaint();return}if(i.texElementImage2D.length===3)i.texElementImage2D(i.TEXTURE_2D,i.RGBA8,it);else{let Jt=i.RGBA,Rt=i.RGBA,se=i.UNSIGNED_BYTE;i.texElementImage2D(i.TEXTURE_2D,0,Jt,Rt,se,it)}i.texParameteri(i.TEXTURE_2D,i.TEXTURE_MIN_FILTER,i.LINEAR),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_S,i.CLAMP_TO_EDGE),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_T,i.CLAMP_TO_EDGE)}}else if(wt.length>0){if(gt&&Mt){let lt=Xt(wt[0]);e.texStorage2D(i.TEXTURE_2D,Zt,rt,lt.width,lt.height)}for(let lt=0,Ot=wt.length;lt<Ot;lt++)nt=wt[lt],gt?Gt&&e.texSubImage2D(i.TEXTURE_2D,lt,0,0,pt,F,nt):e.texImage2D(i.TEXTURE_2D,lt,rt,pt,F,nt);b.generateMipmaps=!1}else if(gt){if(Mt){let lt=Xt(it);e.texStorage2D(i.TEXTURE_2D,Zt,rt,lt.width,lt.height)}Gt&&e.texSubImage2D(i.TEXTURE_2D,0,0,0,pt,F,it)}else e.texImage2D(i.TEXTURE_2D,0,rt,pt,F,it);y(b)&&b.mipmapsAutoUpdate===!0&&M(ht),vt.__version=xt.version,b.onUpdate&&b.onUpdate(b)}C.__version=b.version}function en(C,b,X){if(b.image.length!==6)return;let ht=re(C,b),ot=b.source;e.bindTexture(i.TEXTURE_CUBE_MAP,C.__webglTexture,i.TEXTURE0+X);let xt=n.get(ot);if(ot.version!==xt.__version||ht===!0){e.activeTexture(i.TEXTURE0+X);let vt=de.getPrimaries(de.workingColorSpace),et=b.colorSpace===Ss?null:de.getPrimaries(b.colorSpace),it=b.colorSpace===Ss||vt===et?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,b.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,b.premultiplyAlpha),e.pixelStorei(i.UNPACK_ALIGNMENT,b.unpackAlignment),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,it);let pt=b.isCompressedTexture||b.image[0].isCompressedTexture,F=b.image[0]&&b.image[0].isDataTexture,rt=[];for(let Rt=0;Rt<6;Rt++)!pt&&!F?rt[Rt]=S(b.image[Rt],!0,s.maxCubemapSize):rt[Rt]=F?b.image[Rt].image:b.image[Rt],rt[Rt]=zt(b,rt[Rt]);let nt=rt[0],wt=r.convert(b.format,b.colorSpace),gt=r.convert(b.type),Mt=A(b.internalFormat,wt,gt,b.normalized,b.colorSpace),Gt=b.isVideoTexture!==!0,Zt=xt.__version===void 0||ht===!0,lt=ot.dataReady,Ot=E(b,nt);le(i.TEXTURE_CUBE_MAP,b);let Jt;if(b.isDepthTexture){if(Mt=x(b.format===Ms,b.type),Zt)if(Gt)e.texStorage2D(i.TEXTURE_CUBE_MAP,1,Mt,nt.width,nt.height);else for(let Rt=0;Rt<6;Rt++)e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,Mt,nt.width,nt.height,0,wt,gt,null)}else if(pt){Gt&&Zt&&e.texStorage2D(i.TEXTURE_CUBE_MAP,Ot,Mt,nt.width,nt.height);for(let Rt=0;Rt<6;Rt++){Jt=rt[Rt].mipmaps;for(let se=0;se<Jt.length;se++){let Be=Jt[se];b.format!==Ni?wt!==null?Gt?lt&&e.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,se,0,0,Be.width,Be.height,wt,Be.data):e.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,se,Mt,Be.width,Be.height,0,Be.data):Yt("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):Gt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,se,0,0,Be.width,Be.height,wt,gt,Be.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,se,Mt,Be.width,Be.height,0,wt,gt,Be.data)}}}else{if(Jt=b.mipmaps,Gt&&Zt){Jt.length>0&&Ot++;let Rt=Xt(rt[0]);e.texStorage2D(i.TEXTURE_CUBE_MAP,Ot,Mt,Rt.width,Rt.height)}for(let Rt=0;Rt<6;Rt++)if(F){Gt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,0,0,rt[Rt].width,rt[Rt].height,wt,gt,rt[Rt].data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,Mt,rt[Rt].width,rt[Rt].height,0,wt,gt,rt[Rt].data);for(let se=0;se<Jt.length;se++){let On=Jt[se].image[Rt].image;Gt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,se+1,0,0,On.width,On.height,wt,gt,On.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,se+1,Mt,On.width,On.height,0,wt,gt,On.data)}}else{Gt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,0,0,wt,gt,rt[Rt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,0,Mt,wt,gt,rt[Rt]);for(let se=0;se<Jt.length;se++){let Be=Jt[se];Gt?lt&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,se+1,0,0,wt,gt,Be.image[Rt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Rt,se+1,Mt,wt,gt,Be.image[Rt])}}}y(b)&&b.mipmapsAutoUpdate===!0&&M(i.TEXTURE_CUBE_MAP),xt.__version=ot.version,b.onUpdate&&b.onUpdate(b)}C.__version=b.version}function Ce(C,b,X,ht,ot,xt){let vt=r.convert(X.format,X.colorSpace),et=r.convert(X.type),it=A(X.internalFormat,vt,et,X.normalized,X.colorSpace),pt=n.get(b),F=n.get(X);if(F.__renderTarget=b,!pt.__hasExternalTextures){let rt=Math.max(1,b.width>>xt),nt=Math.max(1,b.height>>xt);ot===i.TEXTURE_3D||ot===i.TEXTURE_2D_ARRAY?e.texImage3D(ot,xt,it,rt,nt,b.depth,0,vt,et,null):e.texImage2D(ot,xt,it,rt,nt,0,vt,et,null)}e.bindFramebuffer(i.FRAMEBUFFER,C),bt(b)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,ht,ot,F.__webglTexture,0,ie(b)):(ot===i.TEXTURE_2D||ot>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&ot<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,ht,ot,F.__webglTexture,xt),e.bindFramebuffer(i.FRAMEBUFFER,null)}function vn(C,b,X){if(i.bindRenderbuffer(i.RENDERBUFFER,C),b.depthBuffer){let ht=b.depthTexture,ot=ht&&ht.isDepthTexture?ht.type:null,xt=x(b.stencilBuffer,ot),vt=b.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;bt(b)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,ie(b),xt,b.width,b.height):X?i.renderbufferStorageMultisample(i.RENDERBUFFER,ie(b),xt,b.width,b.height):i.renderbufferStorage(i.RENDERBUFFER,xt,b.width,b.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,vt,i.RENDERBUFFER,C)}else{let ht=b.textures;for(let ot=0;ot<ht.length;ot++){let xt=ht[ot],vt=r.convert(xt.format,xt.colorSpace),et=r.convert(xt.type),it=A(xt.internalFormat,vt,et,xt.normalized,xt.colorSpace);bt(b)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,ie(b),it,b.width,b.height):X?i.renderbufferStorageMultisample(i.RENDERBUFFER,ie(b),it,b.width,b.height):i.renderbufferStorage(i.RENDERBUFFER,it,b.width,b.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function _e(C,b,X){let ht=b.isWebGLCubeRenderTarget===!0;if(e.bindFramebuffer(i.FRAMEBUFFER,C),!(b.depthTexture&&b.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let ot=n.get(b.depthTexture);ot.__renderTarget=b;let xt=ht?b.depthTexture.image[0]:b.depthTexture.image;(!ot.__webglTexture||xt.width!==b.width||xt.height!==b.height)&&(xt.width=b.width,xt.height=b.height,b.depthTexture.needsUpdate=!0),ht?St(b.depthTexture,0):mt(b.depthTexture,0);let vt=ot.__webglTexture,et=ie(b),it=ht?i.TEXTURE_CUBE_MAP_POSITIVE_X+X:i.TEXTURE_2D,pt=b.depthTexture.format===Ms?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;if(b.depthTexture.format===ms)bt(b)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,pt,it,vt,0,et):i.framebufferTexture2D(i.FRAMEBUFFER,pt,it,vt,0);else if(b.depthTexture.format===Ms)bt(b)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,pt,it,vt,0,et):i.framebufferTexture2D(i.FRAMEBUFFER,pt,it,vt,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function un(C){let b=n.get(C),X=C.isWebGLCubeRenderTarget===!0;if(b.__boundDepthTexture!==C.depthTexture){let ht=C.depthTexture;if(b.__depthDisposeCallback&&b.__depthDisposeCallback(),ht){let ot=()=>{delete b.__boundDepthTexture,delete b.__depthDisposeCallback,ht.removeEventListener("dispose",ot)};ht.addEventListener("dispose",ot),b.__depthDisposeCallback=ot}b.__boundDepthTexture=ht}if(C.depthTexture&&!b.__autoAllocateDepthBuffer)if(X)for(let ht=0;ht<6;ht++)_e(b.__webglFramebuffer[ht],C,ht);else C.texture.mipmaps.length>0?_e(b.__webglFramebuffer[0],C,0):_e(b.__webglFramebuffer,C,0);else if(X){b.__webglDepthbuffer=[];for(let ht=0;ht<6;ht++)if(e.bindFramebuffer(i.FRAMEBUFFER,b.__webglFramebuffer[ht]),b.__webglDepthbuffer[ht]===void 0)b.__webglDepthbuffer[ht]=i.createRenderbuffer(),vn(b.__webglDepthbuffer[ht],C,!1);else{let ot=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,xt=b.__webglDepthbuffer[ht];i.bindRenderbuffer(i.RENDERBUFFER,xt),i.framebufferRenderbuffer(i.FRAMEBUFFER,ot,i.RENDERBUFFER,xt)}}else if(C.texture.mipmaps.length>0?e.bindFramebuffer(i.FRAMEBUFFER,b.__webglFramebuffer[0]):e.bindFramebuffer(i.FRAMEBUFFER,b.__webglFramebuffer),b.__webglDepthbuffer===void 0)b.__webglDepthbuffer=i.createRenderbuffer(),vn(b.__webglDepthbuffer,C,!1);else{let ot=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,xt=b.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,xt),i.framebufferRenderbuffer(i.FRAMEBUFFER,ot,i.RENDERBUFFER,xt)}e.bindFramebuffer(i.FRAMEBUFFER,null)}function $e(C,b,X){let ht=n.get(C);b!==void 0&&Ce(ht.__webglFramebuffer,C,C.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),X!==void 0&&un(C)}function nn(C){let b=C.texture,X=n.get(C),ht=n.get(b);C.addEventListener("dispose",H),z(C);let ot=C.textures,xt=C.isWebGLCubeRenderTarget===!0,vt=ot.length>1;if(vt||(ht.__webglTexture===void 0&&(ht.__webglTexture=i.createTexture()),ht.__version=b.version,o.memory.textures++),xt){X.__webglFramebuffer=[];for(let et=0;et<6;et++)if(b.mipmaps.length>0){X.__webglFramebuffer[et]=[];for(let it=0;it<b.mipmaps.length;it++)X.__webglFramebuffer[et][it]=i.createFramebuffer()}else X.__webglFramebuffer[et]=i.createFramebuffer()}else{if(b.mipmaps.length>0){X.__webglFramebuffer=[];for(let et=0;et<b.mipmaps.length;et++)X.__webglFramebuffer[et]=i.createFramebuffer()}else X.__webglFramebuffer=i.createFramebuffer();if(vt)for(let et=0,it=ot.length;et<it;et++){let pt=n.get(ot[et]);pt.__webglTexture===void 0&&(pt.__webglTexture=i.createTexture(),o.memory.textures++)}if(C.samples>0&&bt(C)===!1){X.__webglMultisampledFramebuffer=i.createFramebuffer(),X.__webglColorRenderbuffer=[],e.bindFramebuffer(i.FRAMEBUFFER,X.__webglMultisampledFramebuffer);for(let et=0;et<ot.length;et++){let it=ot[et];X.__webglColorRenderbuffer[et]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,X.__webglColorRenderbuffer[et]);let pt=r.convert(it.format,it.colorSpace),F=r.convert(it.type),rt=A(it.internalFormat,pt,F,it.normalized,it.colorSpace,C.isXRRenderTarget===!0),nt=ie(C);i.renderbufferStorageMultisample(i.RENDERBUFFER,nt,rt,C.width,C.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+et,i.RENDERBUFFER,X.__webglColorRenderbuffer[et])}i.bindRenderbuffer(i.RENDERBUFFER,null),C.depthBuffer&&(X.__webglDepthRenderbuffer=i.createRenderbuffer(),vn(X.__webglDepthRenderbuffer,C,!0)),e.bindFramebuffer(i.FRAMEBUFFER,null)}}if(xt){e.bindTexture(i.TEXTURE_CUBE_MAP,ht.__webglTexture),le(i.TEXTURE_CUBE_MAP,b);for(let et=0;et<6;et++)if(b.mipmaps.length>0)for(let it=0;it<b.mipmaps.length;it++)Ce(X.__webglFramebuffer[et][it],C,b,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+et,it);else Ce(X.__webglFramebuffer[et],C,b,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+et,0);y(b)?M(i.TEXTURE_CUBE_MAP):b.mipmaps.length>0&&i.texParameteri(i.TEXTURE_CUBE_MAP,i.TEXTURE_MAX_LEVEL,b.mipmaps.length-1),e.unbindTexture()}else if(vt){for(let et=0,it=ot.length;et<it;et++){let pt=ot[et],F=n.get(pt),rt=i.TEXTURE_2D;(C.isWebGL3DRenderTarget||C.isWebGLArrayRenderTarget)&&(rt=C.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(rt,F.__webglTexture),le(rt,pt),Ce(X.__webglFramebuffer,C,pt,i.COLOR_ATTACHMENT0+et,rt,0),y(pt)&&M(rt)}e.unbindTexture()}else{let et=i.TEXTURE_2D;if((C.isWebGL3DRenderTarget||C.isWebGLArrayRenderTarget)&&(et=C.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(et,ht.__webglTexture),le(et,b),b.mipmaps.length>0)for(let it=0;it<b.mipmaps.length;it++)Ce(X.__webglFramebuffer[it],C,b,i.COLOR_ATTACHMENT0,et,it);else Ce(X.__webglFramebuffer,C,b,i.COLOR_ATTACHMENT0,et,0);y(b)?M(et):b.mipmaps.length>0&&i.texParameteri(et,i.TEXTURE_MAX_LEVEL,b.mipmaps.length-1),e.unbindTexture()}C.depthBuffer&&un(C)}function O(C){let b=C.textures;for(let X=0,ht=b.length;X<ht;X++){let ot=b[X];if(y(ot)&&ot.mipmapsAutoUpdate===!0){let xt=R(C),vt=n.get(ot).__webglTexture;e.bindTexture(xt,vt),M(xt),e.unbindTexture()}}}let Ct=[];function qt(C){if(C.samples>0){if(bt(C)===!1){let b=C.textures,X=C.width,ht=C.height,ot=i.COLOR_BUFFER_BIT,xt=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,vt=n.get(C),et=b.length>1;if(et)for(let pt=0;pt<b.length;pt++)e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.RENDERBUFFER,null),e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.TEXTURE_2D,null,0);e.bindFramebuffer(i.READ_FRAMEBUFFER,vt.__webglMultisampledFramebuffer),C.texture.mipmaps.length>0?e.bindFramebuffer(i.DRAW_FRAMEBUFFER,vt.__webglFramebuffer[0]):e.bindFramebuffer(i.DRAW_FRAMEBUFFER,vt.__webglFramebuffer);for(let pt=0;pt<b.length;pt++){if(C.resolveDepthBuffer&&(C.depthBuffer&&(ot|=i.DEPTH_BUFFER_BIT),C.stencilBuffer&&C.resolveStencilBuffer&&(ot|=i.STENCIL_BUFFER_BIT)),et){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,vt.__webglColorRenderbuffer[pt]);let F=n.get(b[pt]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,F,0)}i.blitFramebuffer(0,0,X,ht,0,0,X,ht,ot,i.NEAREST),l===!0&&(Ct.length=0,Ct.push(i.COLOR_ATTACHMENT0+pt),C.depthBuffer&&C.storeMultisampledDepthBuffer===!1&&Ct.push(xt),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,Ct))}if(e.bindFramebuffer(i.READ_FRAMEBUFFER,null),e.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),et)for(let pt=0;pt<b.length;pt++){e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.RENDERBUFFER,vt.__webglColorRenderbuffer[pt]);let F=n.get(b[pt]).__webglTexture;e.bindFramebuffer(i.FRAMEBUFFER,vt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+pt,i.TEXTURE_2D,F,0)}e.bindFramebuffer(i.DRAW_FRAMEBUFFER,vt.__webglMultisampledFramebuffer)}else if(C.depthBuffer&&C.storeMultisampledDepthBuffer===!1&&l){let b=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[b])}}}function ie(C){return Math.min(s.maxSamples,C.samples)}function bt(C){let b=n.get(C);return C.samples>0&&t.has("WEBGL_multisampled_render_to_texture")===!0&&b.__useRenderToTexture!==!1}function Le(C){let b=o.render.frame;h.get(C)!==b&&(h.set(C,b),C.update())}function zt(C,b){let X=C.colorSpace,ht=C.format,ot=C.type;return C.isCompressedTexture===!0||C.isVideoTexture===!0||X!==gs&&X!==Ss&&(de.getTransfer(X)===we?(ht!==Ni||ot!==li)&&Yt("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):jt("WebGLTextures: Unsupported texture color space:",X)),b}function Xt(C){return typeof HTMLImageElement<"u"&&C instanceof HTMLImageElement?(c.width=C.naturalWidth||C.width,c.height=C.naturalHeight||C.height):typeof VideoFrame<"u"&&C instanceof VideoFrame?(c.width=C.displayWidth,c.height=C.displayHeight):(c.width=C.width,c.height=C.height),c}this.allocateTextureUnit=ut,this.resetTextureUnits=Q,this.getTextureUnits=st,this.setTextureUnits=ft,this.setTexture2D=mt,this.setTexture2DArray=_t,this.setTexture3D=Et,this.setTextureCube=St,this.rebindTextures=$e,this.setupRenderTarget=nn,this.updateRenderTargetMipmap=O,this.updateMultisampleRenderTarget=qt,this.setupDepthRenderbuffer=un,this.setupFrameBufferTexture=Ce,this.useMultisampledRTT=bt,this.dispose=G}function Gb(i,t){function e(n,s=Ss){let r,o=de.getTransfer(s);if(n===li)return i.UNSIGNED_BYTE;if(n===xc)return i.UNSIGNED_SHORT_4_4_4_4;if(n===_c)return i.UNSIGNED_SHORT_5_5_5_1;if(n===ku)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===zu)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===Ou)return i.BYTE;if(n===Bu)return i.SHORT;if(n===co)return i.UNSIGNED_SHORT;if(n===gc)return i.INT;if(n===Ii)return i.UNSIGNED_INT;if(n===xi)return i.FLOAT;if(n===Li)return i.HALF_FLOAT;if(n===Vu)return i.ALPHA;if(n===Gu)return i.RGB;if(n===Ni)return i.RGBA;if(n===ms)return i.DEPTH_COMPONENT;if(n===Ms)return i.DEPTH_STENCIL;if(n===vc)return i.RED;if(n===yc)return i.RED_INTEGER;if(n===Xs)return i.RG;if(n===Mc)return i.RG_INTEGER;if(n===Sc)return i.RGBA_INTEGER;if(n===va||n===ya||n===Ma||n===Sa)if(o===we)if(r=t.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===va)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===ya)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===Ma)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===Sa)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=t.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===va)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===ya)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===Ma)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===Sa)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===bc||n===wc||n===Tc||n===Ac)if(r=t.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===bc)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===wc)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===Tc)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===Ac)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===Ec||n===Rc||n===Cc||n===Pc||n===Ic||n===ba||n===Lc)if(r=t.get("WEBGL_compressed_texture_etc"),r!==null){if(n===Ec||n===Rc)return o===we?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===Cc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(n===Pc)return r.COMPRESSED_R11_EAC;if(n===Ic)return r.COMPRESSED_SIGNED_R11_EAC;if(n===ba)return r.COMPRESSED_RG11_EAC;if(n===Lc)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(n===Nc||n===Dc||n===Uc||n===Fc||n===Oc||n===Bc||n===kc||n===zc||n===Vc||n===Gc||n===Hc||n===Wc||n===Xc||n===qc)if(r=t.get("WEBGL_compressed_texture_astc"),r!==null){if(n===Nc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===Dc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===Uc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===Fc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===Oc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===Bc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===kc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===zc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===Vc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===Gc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===Hc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===Wc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===Xc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===qc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===Yc||n===$c||n===Zc)if(r=t.get("EXT_texture_compression_bptc"),r!==null){if(n===Yc)return o===we?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===$c)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===Zc)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===Jc||n===Kc||n===wa||n===jc)if(r=t.get("EXT_texture_compression_rgtc"),r!==null){if(n===Jc)return r.COMPRESSED_RED_RGTC1_EXT;if(n===Kc)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===wa)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===jc)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===cr?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:e}}var Hb=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,Wb=`
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

}`,df=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(t,e){if(this.texture===null){let n=new ra(t.texture);(t.depthNear!==e.depthNear||t.depthFar!==e.depthFar)&&(this.depthNear=t.depthNear,this.depthFar=t.depthFar),this.texture=n}}getMesh(t){if(this.texture!==null&&this.mesh===null){let e=t.cameras[0].viewport,n=new Un({vertexShader:Hb,fragmentShader:Wb,uniforms:{depthColor:{value:this.texture},depthWidth:{value:e.z},depthHeight:{value:e.w}}});this.mesh=new Dn(new aa(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},pf=class extends $i{constructor(t,e){super();let n=this,s=null,r=1,o=null,a="local-floor",l=1,c=null,h=null,u=null,f=null,d=null,g=null,v=typeof XRWebGLBinding<"u",m=new df,p={},S=e.getContextAttributes(),y=null,M=null,R=[],A=[],x=new pe,E=null,z=null,U=new Xn;U.viewport=new De;let L=new Xn;L.viewport=new De;let H=[U,L],W=new hc,N=null,G=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(tt){let mt=R[tt];return mt===void 0&&(mt=new to,R[tt]=mt),mt.getTargetRaySpace()},this.getControllerGrip=function(tt){let mt=R[tt];return mt===void 0&&(mt=new to,R[tt]=mt),mt.getGripSpace()},this.getHand=function(tt){let mt=R[tt];return mt===void 0&&(mt=new to,R[tt]=mt),mt.getHandSpace()};function J(tt){let mt=A.indexOf(tt.inputSource);if(mt===-1)return;let _t=R[mt];_t!==void 0&&(_t.update(tt.inputSource,tt.frame,c||o),_t.dispatchEvent({type:tt.type,data:tt.inputSource}))}function V(){s.removeEventListener("select",J),s.removeEventListener("selectstart",J),s.removeEventListener("selectend",J),s.removeEventListener("squeeze",J),s.removeEventListener("squeezestart",J),s.removeEventListener("squeezeend",J),s.removeEventListener("end",V),s.removeEventListener("inputsourceschange",ct);for(let tt=0;tt<R.length;tt++){let mt=A[tt];mt!==null&&(A[tt]=null,R[tt].disconnect(mt))}N=null,G=null,m.reset();for(let tt in p)delete p[tt];if(t.setRenderTarget(y),d=null,f=null,u=null,s=null,M=null,ut.stop(),n.isPresenting=!1,t.setPixelRatio(E),t.setSize(x.width,x.height,!1),z!==null){let tt=z.camera;tt.fov=z.fov,tt.zoom=z.zoom,tt.updateProjectionMatrix(),z=null}n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(tt){r=tt,n.isPresenting===!0&&Yt("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(tt){a=tt,n.isPresenting===!0&&Yt("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||o},this.setReferenceSpace=function(tt){c=tt},this.getBaseLayer=function(){return f!==null?f:d},this.getBinding=function(){return u===null&&v&&(u=new XRWebGLBinding(s,e)),u},this.getFrame=function(){return g},this.getSession=function(){return s},this.setSession=async function(tt){if(s=tt,s!==null){if(y=t.getRenderTarget(),s.addEventListener("select",J),s.addEventListener("selectstart",J),s.addEventListener("selectend",J),s.addEventListener("squeeze",J),s.addEventListener("squeezestart",J),s.addEventListener("squeezeend",J),s.addEventListener("end",V),s.addEventListener("inputsourceschange",ct),S.xrCompatible!==!0&&await e.makeXRCompatible(),E=t.getPixelRatio(),t.getSize(x),v&&"createProjectionLayer"in XRWebGLBinding.prototype){let _t=null,Et=null,St=null;S.depth&&(St=S.stencil?e.DEPTH24_STENCIL8:e.DEPTH_COMPONENT24,_t=S.stencil?Ms:ms,Et=S.stencil?cr:Ii);let Ht={colorFormat:e.RGBA8,depthFormat:St,scaleFactor:r};u=this.getBinding(),f=u.createProjectionLayer(Ht),s.updateRenderState({layers:[f]}),t.setPixelRatio(1),t.setSize(f.textureWidth,f.textureHeight,!1),M=new ri(f.textureWidth,f.textureHeight,{format:Ni,type:li,depthTexture:new _s(f.textureWidth,f.textureHeight,Et,void 0,void 0,void 0,void 0,void 0,void 0,_t),stencilBuffer:S.stencil,colorSpace:t.outputColorSpace,samples:S.antialias?4:0,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}else{let _t={antialias:S.antialias,alpha:!0,depth:S.depth,stencil:S.stencil,framebufferScaleFactor:r};d=new XRWebGLLayer(s,e,_t),s.updateRenderState({baseLayer:d}),t.setPixelRatio(1),t.setSize(d.framebufferWidth,d.framebufferHeight,!1),M=new ri(d.framebufferWidth,d.framebufferHeight,{format:Ni,type:li,colorSpace:t.outputColorSpace,stencilBuffer:S.stencil,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}M.isXRRenderTarget=!0,this.setFoveation(l),c=null,o=await s.requestReferenceSpace(a),ut.setContext(s),ut.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return m.getDepthTexture()};function ct(tt){for(let mt=0;mt<tt.removed.length;mt++){let _t=tt.removed[mt],Et=A.indexOf(_t);Et>=0&&(A[Et]=null,R[Et].disconnect(_t))}for(let mt=0;mt<tt.added.length;mt++){let _t=tt.added[mt],Et=A.indexOf(_t);if(Et===-1){for(let Ht=0;Ht<R.length;Ht++)if(Ht>=A.length){A.push(_t),Et=Ht;break}else if(A[Ht]===null){A[Ht]=_t,Et=Ht;break}if(Et===-1)break}let St=R[Et];St&&St.connect(_t)}}function K(tt,mt){mt===null?tt.matrixWorld.copy(tt.matrix):tt.matrixWorld.multiplyMatrices(mt.matrixWorld,tt.matrix),tt.matrixWorldInverse.copy(tt.matrixWorld).invert()}this.updateCamera=function(tt){if(s===null)return;let mt=tt.near,_t=tt.far;m.texture!==null&&(m.depthNear>0&&(mt=m.depthNear),m.depthFar>0&&(_t=m.depthFar)),W.near=L.near=U.near=mt,W.far=L.far=U.far=_t,(N!==W.near||G!==W.far)&&(s.updateRenderState({depthNear:W.near,depthFar:W.far}),N=W.near,G=W.far),W.layers.mask=tt.layers.mask|6,U.layers.mask=W.layers.mask&-5,L.layers.mask=W.layers.mask&-3;let Et=tt.parent,St=W.cameras;K(W,Et);for(let Ht=0;Ht<St.length;Ht++)K(St[Ht],Et);W.projectionMatrix.copy(U.projectionMatrix),W.projectionMatrixInverse.copy(U.projectionMatrixInverse),z===null&&tt.isPerspectiveCamera&&(z={camera:tt,fov:tt.fov,zoom:tt.zoom}),Q(tt,W,Et)};function Q(tt,mt,_t){_t===null?tt.matrix.copy(mt.matrixWorld):(tt.matrix.copy(_t.matrixWorld),tt.matrix.invert(),tt.matrix.multiply(mt.matrixWorld)),tt.matrix.decompose(tt.position,tt.quaternion,tt.scale),tt.updateMatrixWorld(!0),tt.projectionMatrix.copy(mt.projectionMatrix),tt.projectionMatrixInverse.copy(mt.projectionMatrixInverse),tt.isPerspectiveCamera&&(tt.fov=Vl*2*Math.atan(1/tt.projectionMatrix.elements[5]),tt.zoom=1)}this.getCamera=function(){return W},this.getFoveation=function(){if(!(f===null&&d===null))return l},this.setFoveation=function(tt){l=tt,f!==null&&(f.fixedFoveation=tt),d!==null&&d.fixedFoveation!==void 0&&(d.fixedFoveation=tt)},this.hasDepthSensing=function(){return m.texture!==null},this.getDepthSensingMesh=function(){return m.getMesh(W)},this.getCameraTexture=function(tt){return p[tt]};let st=null;function ft(tt,mt){if(h=mt.getViewerPose(c||o),g=mt,h!==null){let _t=h.views;d!==null&&(t.setRenderTargetFramebuffer(M,d.framebuffer),t.setRenderTarget(M));let Et=!1;_t.length!==W.cameras.length&&(W.cameras.length=0,Et=!0);for(let Vt=0;Vt<_t.length;Vt++){let le=_t[Vt],re=null;if(d!==null)re=d.getViewport(le);else{let Xe=u.getViewSubImage(f,le);re=Xe.viewport,Vt===0&&(t.setRenderTargetTextures(M,Xe.colorTexture,Xe.depthStencilTexture),t.setRenderTarget(M))}let te=H[Vt];te===void 0&&(te=new Xn,te.layers.enable(Vt),te.viewport=new De,H[Vt]=te),te.matrix.fromArray(le.transform.matrix),te.matrix.decompose(te.position,te.quaternion,te.scale),te.projectionMatrix.fromArray(le.projectionMatrix),te.projectionMatrixInverse.copy(te.projectionMatrix).invert(),te.viewport.set(re.x,re.y,re.width,re.height),Vt===0&&(W.matrix.copy(te.matrix),W.matrix.decompose(W.position,W.quaternion,W.scale)),Et===!0&&W.cameras.push(te)}let St=s.enabledFeatures;if(St&&St.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&v){u=n.getBinding();let Vt=u.getDepthInformation(_t[0]);Vt&&Vt.isValid&&Vt.texture&&m.init(Vt,s.renderState)}if(St&&St.includes("camera-access")&&v){t.state.unbindTexture(),u=n.getBinding();for(let Vt=0;Vt<_t.length;Vt++){let le=_t[Vt].camera;if(le){let re=p[le];re||(re=new ra,p[le]=re);let te=u.getCameraImage(le);re.sourceTexture=te}}}}for(let _t=0;_t<R.length;_t++){let Et=A[_t],St=R[_t];Et!==null&&St!==void 0&&St.update(Et,mt,c||o)}st&&st(tt,mt),mt.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:mt}),g=null}let ut=new Bm;ut.setAnimationLoop(ft),this.setAnimationLoop=function(tt){st=tt},this.dispose=function(){}}},Xb=new Ie,$m=new Qt;$m.set(-1,0,0,0,1,0,0,0,1);function qb(i,t){function e(m,p){m.matrixAutoUpdate===!0&&m.updateMatrix(),p.value.copy(m.matrix)}function n(m,p){p.color.getRGB(m.fogColor.value,Zu(i)),p.isFog?(m.fogNear.value=p.near,m.fogFar.value=p.far):p.isFogExp2&&(m.fogDensity.value=p.density)}function s(m,p,S,y,M){p.isNodeMaterial?p.uniformsNeedUpdate=!1:p.isMeshBasicMaterial?r(m,p):p.isMeshLambertMaterial?(r(m,p),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)):p.isMeshToonMaterial?(r(m,p),u(m,p)):p.isMeshPhongMaterial?(r(m,p),h(m,p),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)):p.isMeshStandardMaterial?(r(m,p),f(m,p),p.isMeshPhysicalMaterial&&d(m,p,M)):p.isMeshMatcapMaterial?(r(m,p),g(m,p)):p.isMeshDepthMaterial?r(m,p):p.isMeshDistanceMaterial?(r(m,p),v(m,p)):p.isMeshNormalMaterial?r(m,p):p.isLineBasicMaterial?(o(m,p),p.isLineDashedMaterial&&a(m,p)):p.isPointsMaterial?l(m,p,S,y):p.isSpriteMaterial?c(m,p):p.isShadowMaterial?(m.color.value.copy(p.color),m.opacity.value=p.opacity):p.isShaderMaterial&&(p.uniformsNeedUpdate=!1)}function r(m,p){m.opacity.value=p.opacity,p.color&&m.diffuse.value.copy(p.color),p.emissive&&m.emissive.value.copy(p.emissive).multiplyScalar(p.emissiveIntensity),p.map&&(m.map.value=p.map,e(p.map,m.mapTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,e(p.alphaMap,m.alphaMapTransform)),p.bumpMap&&(m.bumpMap.value=p.bumpMap,e(p.bumpMap,m.bumpMapTransform),m.bumpScale.value=p.bumpScale,p.side===Yn&&(m.bumpScale.value*=-1)),p.normalMap&&(m.normalMap.value=p.normalMap,e(p.normalMap,m.normalMapTransform),m.normalScale.value.copy(p.normalScale),p.side===Yn&&m.normalScale.value.negate()),p.displacementMap&&(m.displacementMap.value=p.displacementMap,e(p.displacementMap,m.displacementMapTransform),m.displacementScale.value=p.displacementScale,m.displacementBias.value=p.displacementBias),p.emissiveMap&&(m.emissiveMap.value=p.emissiveMap,e(p.emissiveMap,m.emissiveMapTransform)),p.specularMap&&(m.specularMap.value=p.specularMap,e(p.specularMap,m.specularMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest);let S=t.get(p),y=S.envMap,M=S.envMapRotation;y&&(m.envMap.value=y,m.envMapRotation.value.setFromMatrix4(Xb.makeRotationFromEuler(M)).transpose(),y.isCubeTexture&&y.isRenderTargetTexture===!1&&m.envMapRotation.value.premultiply($m),m.reflectivity.value=p.reflectivity,m.ior.value=p.ior,m.refractionRatio.value=p.refractionRatio),p.lightMap&&(m.lightMap.value=p.lightMap,m.lightMapIntensity.value=p.lightMapIntensity,e(p.lightMap,m.lightMapTransform)),p.aoMap&&(m.aoMap.value=p.aoMap,m.aoMapIntensity.value=p.aoMapIntensity,e(p.aoMap,m.aoMapTransform))}function o(m,p){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,p.map&&(m.map.value=p.map,e(p.map,m.mapTransform))}function a(m,p){m.dashSize.value=p.dashSize,m.totalSize.value=p.dashSize+p.gapSize,m.scale.value=p.scale}function l(m,p,S,y){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,m.size.value=p.size*S,m.scale.value=y*.5,p.map&&(m.map.value=p.map,e(p.map,m.uvTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,e(p.alphaMap,m.alphaMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest)}function c(m,p){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,m.rotation.value=p.rotation,p.map&&(m.map.value=p.map,e(p.map,m.mapTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,e(p.alphaMap,m.alphaMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest)}function h(m,p){m.specular.value.copy(p.specular),m.shininess.value=Math.max(p.shininess,1e-4)}function u(m,p){p.gradientMap&&(m.gradientMap.value=p.gradientMap)}function f(m,p){m.metalness.value=p.metalness,p.metalnessMap&&(m.metalnessMap.value=p.metalnessMap,e(p.metalnessMap,m.metalnessMapTransform)),m.roughness.value=p.roughness,p.roughnessMap&&(m.roughnessMap.value=p.roughnessMap,e(p.roughnessMap,m.roughnessMapTransform)),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)}function d(m,p,S){m.ior.value=p.ior,p.diffuseRoughness>0&&(m.diffuseRoughness.value=p.diffuseRoughness,p.diffuseRoughnessMap&&(m.diffuseRoughnessMap.value=p.diffuseRoughnessMap,e(p.diffuseRoughnessMap,m.diffuseRoughnessMapTransform))),p.sheen>0&&(m.sheenColor.value.copy(p.sheenColor).multiplyScalar(p.sheen),m.sheenRoughness.value=p.sheenRoughness,p.sheenColorMap&&(m.sheenColorMap.value=p.sheenColorMap,e(p.sheenColorMap,m.sheenColorMapTransform)),p.sheenRoughnessMap&&(m.sheenRoughnessMap.value=p.sheenRoughnessMap,e(p.sheenRoughnessMap,m.sheenRoughnessMapTransform))),p.clearcoat>0&&(m.clearcoat.value=p.clearcoat,m.clearcoatRoughness.value=p.clearcoatRoughness,p.clearcoatMap&&(m.clearcoatMap.value=p.clearcoatMap,e(p.clearcoatMap,m.clearcoatMapTransform)),p.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=p.clearcoatRoughnessMap,e(p.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),p.clearcoatNormalMap&&(m.clearcoatNormalMap.value=p.clearcoatNormalMap,e(p.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(p.clearcoatNormalScale),p.side===Yn&&m.clearcoatNormalScale.value.negate())),p.dispersion>0&&(m.dispersion.value=p.dispersion),p.retroreflectivity>0&&(m.retroreflectivity.value=p.retroreflectivity),p.iridescence>0&&(m.iridescence.value=p.iridescence,m.iridescenceIOR.value=p.iridescenceIOR,m.iridescenceThicknessMinimum.value=p.iridescenceThicknessMinimum,m.iridescenceThicknessMaximum.value=p.iridescenceThicknessMaximum,p.iridescenceMap&&(m.iridescenceMap.value=p.iridescenceMap,e(p.iridescenceMap,m.iridescenceMapTransform)),p.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=p.iridescenceThicknessMap,e(p.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),p.transmission>0&&(m.transmission.value=p.transmission,m.transmissionSamplerMap.value=S.texture,m.transmissionSamplerSize.value.set(S.width,S.height),p.transmissionMap&&(m.transmissionMap.value=p.transmissionMap,e(p.transmissionMap,m.transmissionMapTransform)),m.thickness.value=p.thickness,p.thicknessMap&&(m.thicknessMap.value=p.thicknessMap,e(p.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=p.attenuationDistance,m.attenuationColor.value.copy(p.attenuationColor)),p.anisotropy>0&&(m.anisotropyVector.value.set(p.anisotropy*Math.cos(p.anisotropyRotation),p.anisotropy*Math.sin(p.anisotropyRotation)),p.anisotropyMap&&(m.anisotropyMap.value=p.anisotropyMap,e(p.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=p.specularIntensity,m.specularColor.value.copy(p.specularColor),p.specularColorMap&&(m.specularColorMap.value=p.specularColorMap,e(p.specularColorMap,m.specularColorMapTransform)),p.specularIntensityMap&&(m.specularIntensityMap.value=p.specularIntensityMap,e(p.specularIntensityMap,m.specularIntensityMapTransform))}function g(m,p){p.matcap&&(m.matcap.value=p.matcap)}function v(m,p){let S=t.get(p).light;m.referencePosition.value.setFromMatrixPosition(S.matrixWorld),m.nearDistance.value=S.shadow.camera.near,m.farDistance.value=S.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function Yb(i,t,e,n){let s={},r={};function o(S,y){let M=y.program;n.uniformBlockBinding(S,M,s[S.id])}function a(S,y){let M=s[S.id];M===void 0&&(g(S),M=l(S),s[S.id]=M,S.addEventListener("dispose",m));let R=y.program;n.updateUBOMapping(S,R);let A=t.render.frame;r[S.id]!==A&&(c(S),r[S.id]=A)}function l(S){let y=i.createBuffer(),M=S.__size,R=S.usage;return i.bindBuffer(i.UNIFORM_BUFFER,y),i.bufferData(i.UNIFORM_BUFFER,M,R),i.bindBuffer(i.UNIFORM_BUFFER,null),y}function c(S){let y=s[S.id],M=S.uniforms,R=S.__cache;i.bindBuffer(i.UNIFORM_BUFFER,y);for(let A=0,x=M.length;A<x;A++){let E=M[A];if(Array.isArray(E))for(let z=0,U=E.length;z<U;z++)h(E[z],A,z,R);else h(E,A,0,R)}i.bindBuffer(i.UNIFORM_BUFFER,null)}function h(S,y,M,R){if(f(S,y,M,R)===!0){let A=S.__offset,x=S.value;if(Array.isArray(x)){let E=0;for(let z=0;z<x.length;z++){let U=x[z],L=v(U,!0);u(U,S.__data,E),E+=L.storage/Float32Array.BYTES_PER_ELEMENT}}else u(x,S.__data,0);i.bufferSubData(i.UNIFORM_BUFFER,A,S.__data)}}function u(S,y,M){typeof S=="number"||typeof S=="boolean"?y[M]=S:S.isMatrix3?(y[M]=S.elements[0],y[M+1]=S.elements[1],y[M+2]=S.elements[2],y[M+3]=0,y[M+4]=S.elements[3],y[M+5]=S.elements[4],y[M+6]=S.elements[5],y[M+7]=0,y[M+8]=S.elements[6],y[M+9]=S.elements[7],y[M+10]=S.elements[8],y[M+11]=0):ArrayBuffer.isView(S)?y.set(S.subarray(0,y.length-M),M):S.toArray(y,M)}function f(S,y,M,R){let A=S.value,x=y+"_"+M;if(Array.isArray(A)){R[x]===void 0&&(R[x]=[]);let E=R[x],z=!1;for(let U=0;U<A.length;U++)d(A[U],E,U)===!0&&(z=!0);return z}return d(A,R,x)}function d(S,y,M){if(y[M]===void 0)return typeof S=="number"||typeof S=="boolean"?y[M]=S:ArrayBuffer.isView(S)?y[M]=S.slice():y[M]=S.clone(),!0;{let R=y[M];if(typeof S=="number"||typeof S=="boolean"){if(R!==S)return y[M]=S,!0}else{if(ArrayBuffer.isView(S))return!0;if(R.equals(S)===!1)return R.copy(S),!0}}return!1}function g(S){let y=S.uniforms,M=0,R=16;for(let x=0,E=y.length;x<E;x++){let z=Array.isArray(y[x])?y[x]:[y[x]];for(let U=0,L=z.length;U<L;U++){let H=z[U],W=Array.isArray(H.value)?H.value:[H.value],N=Array.isArray(y[x])||Array.isArray(H.value),G=M;for(let V=0,ct=W.length;V<ct;V++){let K=W[V],Q=v(K,N),st=M%R,ft=st%Q.boundary,ut=st+ft;M+=ft,ut!==0&&R-ut<Q.storage&&(M+=R-ut),V===0&&(G=M),M+=Q.storage}let J=H.type==="int"?Int32Array:H.type==="uint"?Uint32Array:Float32Array;H.__data=new J((M-G)/Float32Array.BYTES_PER_ELEMENT),H.__offset=G}}let A=M%R;return A>0&&(M+=R-A),S.__size=M,S.__cache={},this}function v(S,y){let M={boundary:0,storage:0};return typeof S=="number"||typeof S=="boolean"?(M.boundary=4,M.storage=4):S.isVector2?(M.boundary=8,M.storage=8):S.isVector3||S.isColor?(M.boundary=16,M.storage=12):S.isVector4?(M.boundary=16,M.storage=16):S.isMatrix3?(M.boundary=16,M.storage=48):S.isMatrix4?(M.boundary=16,M.storage=64):S.isTexture?Yt("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(S)?(M.boundary=16,M.storage=S.byteLength):Yt("WebGLRenderer: Unsupported uniform value type.",S),y===!0&&(M.boundary=16,M.storage=Math.ceil(M.storage/16)*16),M}function m(S){let y=S.target;y.removeEventListener("dispose",m),i.deleteBuffer(s[y.id]),delete s[y.id],delete r[y.id]}function p(){for(let S in s)i.deleteBuffer(s[S]);s={},r={}}return{bind:o,update:a,dispose:p}}var $b=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),Qi=null;function Zb(){return Qi===null&&(Qi=new ta($b,16,16,Xs,Li),Qi.name="DFG_LUT",Qi.minFilter=qn,Qi.magFilter=qn,Qi.wrapS=Yi,Qi.wrapT=Yi,Qi.generateMipmaps=!1,Qi.needsUpdate=!0),Qi}var ih=class{constructor(t={}){let{canvas:e=om(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:f=!1,outputBufferType:d=li}=t;this.isWebGLRenderer=!0;let g;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");g=n.getContextAttributes().alpha}else g=o;let v=d,m=new Set([Sc,Mc,yc]),p=new Set([li,Ii,co,cr,xc,_c]),S=new Uint32Array(4),y=new Int32Array(4),M={textures:[],min:[],max:[],resolution:[]},R=null,A=null,x=[],E=[],z=null;this.domElement=e,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=ji,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let U=this,L=!1,H=null,W=null,N=null,G=null;this._outputColorSpace=si;let J=0,V=0,ct=null,K=-1,Q=null,st=new De,ft=new De,ut=null,tt=new me(0),mt=0,_t=e.width,Et=e.height,St=1,Ht=null,ne=null,Vt=new De(0,0,_t,Et),le=new De(0,0,_t,Et),re=!1,te=new or,Xe=new Yl,Oe=!1,en=!1,Ce=new Ie,vn=new $,_e=new De,un={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},$e=!1;function nn(){return ct===null?St:1}let O=n;function Ct(T,B){return e.getContext(T,B)}let qt,ie,bt,Le,zt,Xt,C,b,X,ht,ot,xt,vt,et,it,pt,F,rt,nt,wt,gt,Mt,Gt;try{let T={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:h,failIfMajorPerformanceCaveat:u};if("setAttribute"in e&&e.setAttribute("data-engine",`three.js r${"187"}`),e.addEventListener("webglcontextlost",Ot,!1),e.addEventListener("webglcontextrestored",Jt,!1),e.addEventListener("webglcontextcreationerror",Rt,!1),O===null){let B="webgl2";if(O=Ct(B,T),O===null)throw Ct(B)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}Zt()}catch(T){throw e.removeEventListener("webglcontextlost",Ot,!1),e.removeEventListener("webglcontextrestored",Jt,!1),e.removeEventListener("webglcontextcreationerror",Rt,!1),jt("WebGLRenderer: "+T.message),T}function Zt(){qt=new oS(O),qt.init(),gt=new Gb(O,qt),ie=new ZM(O,qt,t,gt),bt=new zb(O,qt),ie.reversedDepthBuffer&&f&&bt.buffers.depth.setReversed(!0),W=O.createFramebuffer(),N=O.createFramebuffer(),G=O.createFramebuffer(),Le=new cS(O),zt=new Ab,Xt=new Vb(O,qt,bt,zt,ie,gt,Le),C=new rS(U),b=new uv(O),Mt=new YM(O,b),X=new aS(O,b,Le,Mt),ht=new uS(O,X,b,Mt,Le),rt=new hS(O,ie,Xt),it=new JM(zt),ot=new Tb(U,C,qt,ie,Mt,it),xt=new qb(U,zt),vt=new Rb,et=new Db(qt),F=new qM(U,C,bt,ht,g,l),pt=new kb(U,ht,ie),Gt=new Yb(O,Le,ie,bt),nt=new $M(O,qt,Le),wt=new lS(O,qt,Le),Le.programs=ot.programs,U.capabilities=ie,U.extensions=qt,U.properties=zt,U.renderLists=vt,U.shadowMap=pt,U.state=bt,U.info=Le}v!==li&&(z=new dS(v,e.width,e.height,a,s,r));let lt=new pf(U,O);this.xr=lt,this.getContext=function(){return O},this.getContextAttributes=function(){return O.getContextAttributes()},this.forceContextLoss=function(){let T=qt.get("WEBGL_lose_context");T&&T.loseContext()},this.forceContextRestore=function(){let T=qt.get("WEBGL_lose_context");T&&T.restoreContext()},this.getPixelRatio=function(){return St},this.setPixelRatio=function(T){T!==void 0&&(St=T,this.setSize(_t,Et,!1))},this.getSize=function(T){return T.set(_t,Et)},this.setSize=function(T,B,j=!0){if(lt.isPresenting){Yt("WebGLRenderer: Can't change size while VR device is presenting.");return}_t=T,Et=B,e.width=Math.floor(T*St),e.height=Math.floor(B*St),j===!0&&(e.style.width=T+"px",e.style.height=B+"px"),z!==null&&z.setSize(e.width,e.height),this.setViewport(0,0,T,B)},this.getDrawingBufferSize=function(T){return T.set(_t*St,Et*St).floor()},this.setDrawingBufferSize=function(T,B,j){_t=T,Et=B,St=j,e.width=Math.floor(T*j),e.height=Math.floor(B*j),this.setViewport(0,0,T,B)},this.setEffects=function(T){if(v===li){jt("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(T){for(let B=0;B<T.length;B++)if(T[B].isOutputPass===!0){Yt("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}z.setEffects(T||[])},this.getCurrentViewport=function(T){return T.copy(st)},this.getViewport=function(T){return T.copy(Vt)},this.setViewport=function(T,B,j,q){T.isVector4?Vt.set(T.x,T.y,T.z,T.w):Vt.set(T,B,j,q),bt.viewport(st.copy(Vt).multiplyScalar(nn()).round())},this.getScissor=function(T){return T.copy(le)},this.setScissor=function(T,B,j,q){T.isVector4?le.set(T.x,T.y,T.z,T.w):le.set(T,B,j,q),bt.scissor(ft.copy(le).multiplyScalar(nn()).round())},this.getScissorTest=function(){return re},this.setScissorTest=function(T){bt.setScissorTest(re=T)},this.setOpaqueSort=function(T){Ht=T},this.setTransparentSort=function(T){ne=T},this.getClearColor=function(T){return T.copy(F.getClearColor())},this.setClearColor=function(){F.setClearColor(...arguments)},this.getClearAlpha=function(){return F.getClearAlpha()},this.setClearAlpha=function(){F.setClearAlpha(...arguments)},this.clear=function(T=!0,B=!0,j=!0){let q=0;if(T){let Y=!1;if(ct!==null){let Tt=ct.texture.format;Y=m.has(Tt)}if(Y){let Tt=ct.texture.type,Pt=p.has(Tt),At=F.getClearColor(),It=F.getClearAlpha(),kt=At.r,Kt=At.g,ce=At.b;Pt?(S[0]=kt,S[1]=Kt,S[2]=ce,S[3]=It,O.clearBufferuiv(O.COLOR,0,S)):(y[0]=kt,y[1]=Kt,y[2]=ce,y[3]=It,O.clearBufferiv(O.COLOR,0,y))}else q|=O.COLOR_BUFFER_BIT}B&&(q|=O.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),j&&(q|=O.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),q!==0&&O.clear(q)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(T){T.setRenderer(this),H=T},this.dispose=function(){e.removeEventListener("webglcontextlost",Ot,!1),e.removeEventListener("webglcontextrestored",Jt,!1),e.removeEventListener("webglcontextcreationerror",Rt,!1),F.dispose(),vt.dispose(),et.dispose(),Xt.dispose(),zt.dispose(),C.dispose(),ht.dispose(),X.dispose(),Mt.dispose(),Gt.dispose(),ot.dispose(),lt.dispose(),lt.removeEventListener("sessionstart",Ga),lt.removeEventListener("sessionend",Bi),is.stop()};function Ot(T){T.preventDefault(),Yo("WebGLRenderer: Context Lost."),L=!0}function Jt(){Yo("WebGLRenderer: Context Restored."),L=!1;let T=Le.autoReset,B=pt.enabled,j=pt.autoUpdate,q=pt.needsUpdate,Y=pt.type;Zt(),Le.autoReset=T,pt.enabled=B,pt.autoUpdate=j,pt.needsUpdate=q,pt.type=Y}function Rt(T){jt("WebGLRenderer: A WebGL context could not be created. Reason: ",T.statusMessage)}function se(T){let B=T.target;B.removeEventListener("dispose",se),Be(B)}function Be(T){On(T),zt.remove(T)}function On(T){let B=zt.get(T).programs;B!==void 0&&(B.forEach(function(j){ot.releaseProgram(j)}),T.isShaderMaterial&&ot.releaseShaderCache(T))}this.renderBufferDirect=function(T,B,j,q,Y,Tt){B===null&&(B=un);let Pt=Y.isMesh&&Y.matrixWorld.determinantAffine()<0,At=Co(T,B,j,q,Y);bt.setMaterial(q,Pt);let It=j.index,kt=1;if(q.wireframe===!0){if(It=X.getWireframeAttribute(j),It===void 0)return;kt=2}let Kt=j.drawRange,ce=j.attributes.position,Bt=Kt.start*kt,he=(Kt.start+Kt.count)*kt;Tt!==null&&(Bt=Math.max(Bt,Tt.start*kt),he=Math.min(he,(Tt.start+Tt.count)*kt)),It!==null?(Bt=Math.max(Bt,0),he=Math.min(he,It.count)):ce!=null&&(Bt=Math.max(Bt,0),he=Math.min(he,ce.count));let Ye=he-Bt;if(Ye<0||Ye===1/0)return;Mt.setup(Y,q,At,j,It);let Ae,Ee=nt;if(It!==null&&(Ae=b.get(It),Ee=wt,Ee.setIndex(Ae)),Y.isMesh)q.wireframe===!0?(bt.setLineWidth(q.wireframeLinewidth*nn()),Ee.setMode(O.LINES)):Ee.setMode(O.TRIANGLES);else if(Y.isLine){let fn=q.linewidth;fn===void 0&&(fn=1),bt.setLineWidth(fn*nn()),Y.isLineSegments?Ee.setMode(O.LINES):Y.isLineLoop?Ee.setMode(O.LINE_LOOP):Ee.setMode(O.LINE_STRIP)}else Y.isPoints?Ee.setMode(O.POINTS):Y.isSprite&&Ee.setMode(O.TRIANGLES);if(Y.isBatchedMesh)if(qt.get("WEBGL_multi_draw"))Ee.renderMultiDraw(Y._multiDrawStarts,Y._multiDrawCounts,Y._multiDrawCount);else{let fn=Y._multiDrawStarts,Ut=Y._multiDrawCounts,sn=Y._multiDrawCount,fe=It?b.get(It).bytesPerElement:1,rs=zt.get(q).currentProgram.getUniforms();for(let rn=0;rn<sn;rn++)rs.setValue(O,"_gl_DrawID",rn),Ee.render(fn[rn]/fe,Ut[rn])}else if(Y.isInstancedMesh)Ee.renderInstances(Bt,Ye,Y.count);else if(j.isInstancedBufferGeometry){let fn=j._maxInstanceCount!==void 0?j._maxInstanceCount:1/0,Ut=Math.min(j.instanceCount,fn);Ee.renderInstances(Bt,Ye,Ut)}else Ee.render(Bt,Ye)};function Ao(T,B,j,q){H!==null&&T.isNodeMaterial&&H.setObject(q,T),Oe===!0&&it.setState(T,j,!1),T.transparent===!0&&T.side===$n&&T.forceSinglePass===!1?(T.side=Yn,T.needsUpdate=!0,ki(T,B,q),T.side=Ki,T.needsUpdate=!0,ki(T,B,q),T.side=$n):ki(T,B,q)}this.compile=function(T,B,j=null){j===null&&(j=T),H!==null&&H.renderStart(T,B,j),A=et.get(j),A.init(B),E.push(A),j.traverseVisible(function(Y){Y.isLight&&Y.layers.test(B.layers)&&(A.pushLight(Y),Y.castShadow&&A.pushShadow(Y))}),T!==j&&T.traverseVisible(function(Y){Y.isLight&&Y.layers.test(B.layers)&&(A.pushLight(Y),Y.castShadow&&A.pushShadow(Y))}),A.setupLights(),H!==null&&H.updateLights(A.state.lightsArray),en=this.localClippingEnabled,Oe=it.init(this.clippingPlanes,en),Oe===!0&&it.setGlobalState(this.clippingPlanes,B),H!==null&&pt.render(A.state.shadowsArray,j,B);let q=new Set;return T.traverse(function(Y){if(!(Y.isMesh||Y.isPoints||Y.isLine||Y.isSprite))return;let Tt=Y.material;if(Tt)if(Array.isArray(Tt))for(let Pt=0;Pt<Tt.length;Pt++){let At=Tt[Pt];Ao(At,j,B,Y),q.add(At)}else Ao(Tt,j,B,Y),q.add(Tt)}),A=E.pop(),H!==null&&H.renderEnd(),q},this.compileAsync=function(T,B,j=null){let q=this.compile(T,B,j);return new Promise(Y=>{function Tt(){if(q.forEach(function(Pt){let It=zt.get(Pt).currentProgram;(It===void 0||It.isReady())&&q.delete(Pt)}),q.size===0){Y(T);return}setTimeout(Tt,10)}qt.get("KHR_parallel_shader_compile")!==null?Tt():setTimeout(Tt,10)})};let vr=null;function Lh(T){vr&&vr(T)}function Ga(){is.stop()}function Bi(){is.start()}let is=new Bm;is.setAnimationLoop(Lh),typeof self<"u"&&is.setContext(self),this.setAnimationLoop=function(T){vr=T,lt.setAnimationLoop(T),T===null?is.stop():is.start()},lt.addEventListener("sessionstart",Ga),lt.addEventListener("sessionend",Bi),this.render=function(T,B){if(B!==void 0&&B.isCamera!==!0){jt("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(L===!0)return;H!==null&&H.renderStart(T,B);let j=lt.enabled===!0&&lt.isPresenting===!0,q=z!==null&&(ct===null||j)&&z.begin(U,ct);if(T.matrixWorldAutoUpdate===!0&&T.updateMatrixWorld(),B.parent===null&&B.matrixWorldAutoUpdate===!0&&B.updateMatrixWorld(),lt.enabled===!0&&lt.isPresenting===!0&&(z===null||z.isCompositing()===!1)&&(lt.cameraAutoUpdate===!0&&lt.updateCamera(B),B=lt.getCamera()),T.isScene===!0&&T.onBeforeRender(U,T,B,ct),A=et.get(T,E.length),A.init(B),A.state.textureUnits=Xt.getTextureUnits(),E.push(A),Ce.multiplyMatrices(B.projectionMatrix,B.matrixWorldInverse),B.isArrayCamera?Xe.setFromArrayCamera(B):te.setFromProjectionMatrix(Ce,gi,B.reversedDepth),en=this.localClippingEnabled,Oe=it.init(this.clippingPlanes,en),R=vt.get(T,x.length),R.init(),x.push(R),this.info.render.frame++,lt.enabled===!0&&lt.isPresenting===!0){let Pt=U.xr.getDepthSensingMesh();Pt!==null&&ss(Pt,B,-1/0,U.sortObjects)}ss(T,B,0,U.sortObjects),R.finish(),H!==null&&H.updateLights(A.state.lightsArray),U.sortObjects===!0&&R.sort(Ht,ne),$e=lt.enabled===!1||lt.isPresenting===!1||lt.hasDepthSensing()===!1,$e&&F.addToRenderList(R,T),this.info.autoReset===!0&&this.info.reset(),Oe===!0&&it.beginShadows();let Y=A.state.shadowsArray;if(pt.render(Y,T,B),Oe===!0&&it.endShadows(),(q&&z.hasRenderPass())===!1){let Pt=R.opaque,At=R.transmissive;if(A.setupLights(),B.isArrayCamera){let It=B.cameras;if(At.length>0)for(let kt=0,Kt=It.length;kt<Kt;kt++){let ce=It[kt];Mi(Pt,At,T,ce)}$e&&F.render(T);for(let kt=0,Kt=It.length;kt<Kt;kt++){let ce=It[kt];Eo(R,T,ce,ce.viewport)}}else At.length>0&&Mi(Pt,At,T,B),$e&&F.render(T),Eo(R,T,B)}ct!==null&&V===0&&(Xt.updateMultisampleRenderTarget(ct),Xt.updateRenderTargetMipmap(ct)),q&&z.end(U),T.isScene===!0&&T.onAfterRender(U,T,B),Mt.resetDefaultState(),K=-1,Q=null,E.pop(),E.length>0?(A=E[E.length-1],Xt.setTextureUnits(A.state.textureUnits),Oe===!0&&it.setGlobalState(U.clippingPlanes,A.state.camera)):A=null,x.pop(),x.length>0?R=x[x.length-1]:R=null,H!==null&&H.renderEnd()};function ss(T,B,j,q){if(T.visible===!1)return;if(T.layers.test(B.layers)){if(T.isGroup)j=T.renderOrder;else if(T.isLOD)T.autoUpdate===!0&&T.update(B);else if(T.isLight)A.pushLight(T),T.castShadow&&A.pushShadow(T);else if(T.isSprite){let Pt=B.isArrayCamera?Xe:te;if(!T.frustumCulled||T.intersectsFrustum(Pt)){q&&_e.setFromMatrixPosition(T.matrixWorld).applyMatrix4(Ce);let At=ht.update(T),It=T.material;It.visible&&R.push(T,At,It,j,_e.z,null,B)}}else if(T.isMesh||T.isLine||T.isPoints){let Pt=B.isArrayCamera?Xe:te;if(!T.frustumCulled||T.intersectsFrustum(Pt)){let At=ht.update(T),It=T.material;if(q&&(T.boundingSphere!==void 0?(T.boundingSphere===null&&T.computeBoundingSphere(),_e.copy(T.boundingSphere.center)):(At.boundingSphere===null&&At.computeBoundingSphere(),_e.copy(At.boundingSphere.center)),_e.applyMatrix4(T.matrixWorld).applyMatrix4(Ce)),Array.isArray(It)){let kt=At.groups;for(let Kt=0,ce=kt.length;Kt<ce;Kt++){let Bt=kt[Kt],he=It[Bt.materialIndex];he&&he.visible&&R.push(T,At,he,j,_e.z,Bt,B)}}else It.visible&&R.push(T,At,It,j,_e.z,null,B)}}}let Tt=T.children;for(let Pt=0,At=Tt.length;Pt<At;Pt++)ss(Tt[Pt],B,j,q)}function Eo(T,B,j,q){let{opaque:Y,transmissive:Tt,transparent:Pt}=T;A.setupLightsView(j),Oe===!0&&it.setGlobalState(U.clippingPlanes,j),q&&bt.viewport(st.copy(q)),Y.length>0&&Ze(Y,B,j),Tt.length>0&&Ze(Tt,B,j),Pt.length>0&&Ze(Pt,B,j),bt.buffers.depth.setTest(!0),bt.buffers.depth.setMask(!0),bt.buffers.color.setMask(!0),bt.setPolygonOffset(!1)}function Mi(T,B,j,q){if((j.isScene===!0?j.overrideMaterial:null)!==null)return;if(A.state.transmissionRenderTarget[q.id]===void 0){let Bt=qt.has("EXT_color_buffer_half_float")||qt.has("EXT_color_buffer_float");A.state.transmissionRenderTarget[q.id]=new ri(1,1,{generateMipmaps:!0,type:Bt?Li:li,minFilter:ys,samples:Math.max(4,ie.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:de.workingColorSpace})}let Tt=A.state.transmissionRenderTarget[q.id],Pt=q.viewport||st;Tt.setSize(Pt.z*U.transmissionResolutionScale,Pt.w*U.transmissionResolutionScale);let At=U.getRenderTarget(),It=U.getActiveCubeFace(),kt=U.getActiveMipmapLevel();U.setRenderTarget(Tt),U.getClearColor(tt),mt=U.getClearAlpha(),mt<1&&U.setClearColor(16777215,.5),U.clear(),$e&&F.render(j);let Kt=U.toneMapping;U.toneMapping=ji;let ce=q.viewport;if(q.viewport!==void 0&&(q.viewport=void 0),A.setupLightsView(q),Oe===!0&&it.setGlobalState(U.clippingPlanes,q),Ze(T,j,q),Xt.updateMultisampleRenderTarget(Tt),Xt.updateRenderTargetMipmap(Tt),qt.has("WEBGL_multisampled_render_to_texture")===!1){let Bt=!1;for(let he=0,Ye=B.length;he<Ye;he++){let Ae=B[he],{object:Ee,geometry:fn,material:Ut,group:sn}=Ae;if(Ut.side===$n&&Ee.layers.test(q.layers)){let fe=Ut.side;Ut.side=Yn,Ut.needsUpdate=!0,Qe(Ee,j,q,fn,Ut,sn),Ut.side=fe,Ut.needsUpdate=!0,Bt=!0}}Bt===!0&&(Xt.updateMultisampleRenderTarget(Tt),Xt.updateRenderTargetMipmap(Tt))}U.setRenderTarget(At,It,kt),U.setClearColor(tt,mt),ce!==void 0&&(q.viewport=ce),U.toneMapping=Kt}function Ze(T,B,j){let q=B.isScene===!0?B.overrideMaterial:null;for(let Y=0,Tt=T.length;Y<Tt;Y++){let Pt=T[Y],{object:At,geometry:It,group:kt}=Pt,Kt=Pt.material;Kt.allowOverride===!0&&q!==null&&(Kt=q),At.layers.test(j.layers)&&Qe(At,B,j,It,Kt,kt)}}function Qe(T,B,j,q,Y,Tt){H!==null&&Y.isNodeMaterial&&H.setObject(T,Y),T.onBeforeRender(U,B,j,q,Y,Tt),T.modelViewMatrix.multiplyMatrices(j.matrixWorldInverse,T.matrixWorld),T.normalMatrix.getNormalMatrix(T.modelViewMatrix),Y.onBeforeRender(U,B,j,q,T,Tt),Y.transparent===!0&&Y.side===$n&&Y.forceSinglePass===!1?(Y.side=Yn,Y.needsUpdate=!0,U.renderBufferDirect(j,B,q,Y,T,Tt),Y.side=Ki,Y.needsUpdate=!0,U.renderBufferDirect(j,B,q,Y,T,Tt),Y.side=$n):U.renderBufferDirect(j,B,q,Y,T,Tt),T.onAfterRender(U,B,j,q,Y,Tt)}function tn(T){let B=0;for(let j of T)j.texture!==null&&B++;return B}function ki(T,B,j){B.isScene!==!0&&(B=un);let q=zt.get(T),Y=A.state.lights,Tt=A.state.shadowsArray,Pt=Y.state.version,At=ot.getParameters(T,Y.state,Tt,B,j,A.state.lightProbeGridArray),It=ot.getProgramCacheKey(At),kt=q.programs;q.environment=T.isMeshStandardMaterial||T.isMeshLambertMaterial||T.isMeshPhongMaterial?B.environment:null,q.fog=B.fog;let Kt=T.isMeshStandardMaterial||T.isMeshLambertMaterial&&!T.envMap||T.isMeshPhongMaterial&&!T.envMap;q.envMap=C.get(T.envMap||q.environment,Kt),q.envMapRotation=q.environment!==null&&T.envMap===null?B.environmentRotation:T.envMapRotation,kt===void 0&&(T.addEventListener("dispose",se),kt=new Map,q.programs=kt,q.programVariants=new Map);let ce=kt.get(It);if(ce!==void 0){if(q.currentProgram===ce&&q.lightsStateVersion===Pt)return Ro(T,At),ce}else At.uniforms=ot.getUniforms(T),H!==null&&T.isNodeMaterial&&H.build(T,j,At),T.onBeforeCompile(At,U),ce=ot.acquireProgram(At,It),kt.set(It,ce),q.uniforms=At.uniforms;let Bt=q.uniforms;return(!T.isShaderMaterial&&!T.isRawShaderMaterial||T.clipping===!0)&&(Bt.clippingPlanes=it.uniform),Ro(T,At),q.needsLights=Es(T),q.lightsStateVersion=Pt,q.needsLights&&(Bt.ambientLightColor.value=Y.state.ambient,Bt.lightProbe.value=Y.state.probe,Bt.sunLights.value=Y.state.sun,Bt.sunLightShadows.value=Y.state.sunShadow,Bt.directionalLights.value=Y.state.directional,Bt.directionalLightShadows.value=Y.state.directionalShadow,Bt.spotLights.value=Y.state.spot,Bt.spotLightShadows.value=Y.state.spotShadow,Bt.rectAreaLights.value=Y.state.rectArea,Bt.ltc_1.value=Y.state.rectAreaLTC1,Bt.ltc_2.value=Y.state.rectAreaLTC2,Bt.pointLights.value=Y.state.point,Bt.pointLightShadows.value=Y.state.pointShadow,Bt.hemisphereLights.value=Y.state.hemi,Bt.sunShadowMatrix.value=Y.state.sunShadowMatrix,Bt.sunShadowCascade.value=Y.state.sunShadowCascade,Bt.directionalShadowMatrix.value=Y.state.directionalShadowMatrix,Bt.spotLightMatrix.value=Y.state.spotLightMatrix,Bt.spotLightMap.value=Y.state.spotLightMap,Bt.pointShadowMatrix.value=Y.state.pointShadowMatrix),q.numLightProbeGrids=tn(A.state.lightProbeGridArray),q.currentProgram=ce,q.uniformsList=null,ce}function Kn(T,B,j,q,Y){let Tt=zt.get(T),Pt=Tt.currentProgram.id+","+q+","+Y,At=Tt.programVariants.get(Pt);return At===void 0?(At=ki(T,B,j),Tt.programVariants.set(Pt,At)):(Tt.currentProgram=At,Tt.uniformsList=null,Tt.outputColorSpace=q,Tt.toneMapping=Y),At}function As(T){if(T.uniformsList===null){let B=T.currentProgram.getUniforms();T.uniformsList=ho.seqWithValue(B.seq,T.uniforms)}return T.uniformsList}function Ro(T,B){let j=zt.get(T);j.outputColorSpace=B.outputColorSpace,j.batching=B.batching,j.batchingColor=B.batchingColor,j.instancing=B.instancing,j.instancingColor=B.instancingColor,j.instancingMorph=B.instancingMorph,j.skinning=B.skinning,j.morphTargets=B.morphTargets,j.morphNormals=B.morphNormals,j.morphColors=B.morphColors,j.morphTargetsCount=B.morphTargetsCount,j.numClippingPlanes=B.numClippingPlanes,j.numIntersection=B.numClipIntersection,j.vertexAlphas=B.vertexAlphas,j.vertexTangents=B.vertexTangents,j.toneMapping=B.toneMapping}function Co(T,B,j,q,Y){B.isScene!==!0&&(B=un),Xt.resetTextureUnits();let Tt=B.fog,Pt=q.isMeshStandardMaterial||q.isMeshLambertMaterial||q.isMeshPhongMaterial?B.environment:null,At=ct===null?U.outputColorSpace:ct.isXRRenderTarget===!0?ct.texture.colorSpace:de.workingColorSpace,It=q.isMeshStandardMaterial||q.isMeshLambertMaterial&&!q.envMap||q.isMeshPhongMaterial&&!q.envMap,kt=C.get(q.envMap||Pt,It),Kt=q.vertexColors===!0&&!!j.attributes.color&&j.attributes.color.itemSize===4,ce=!!j.attributes.tangent&&(!!q.normalMap||q.anisotropy>0),Bt=!!j.morphAttributes.position,he=!!j.morphAttributes.normal,Ye=!!j.morphAttributes.color,Ae=ji;q.toneMapped&&(ct===null||ct.isXRRenderTarget===!0)&&(Ae=U.toneMapping);let Ee=j.morphAttributes.position||j.morphAttributes.normal||j.morphAttributes.color,fn=Ee!==void 0?Ee.length:0,Ut=zt.get(q),sn=A.state.lights;if(Oe===!0&&(en===!0||T!==Q)){let Re=T===Q&&q.id===K;it.setState(q,T,Re)}let fe=!1,rs=!1;q.version===Ut.__version?Ut.needsLights&&Ut.lightsStateVersion!==sn.state.version||Y.isBatchedMesh&&Ut.batching===!1||!Y.isBatchedMesh&&Ut.batching===!0||Y.isBatchedMesh&&Ut.batchingColor===!0&&Y._colorsTexture===null||Y.isBatchedMesh&&Ut.batchingColor===!1&&Y._colorsTexture!==null||Y.isInstancedMesh&&Ut.instancing===!1||!Y.isInstancedMesh&&Ut.instancing===!0||Y.isSkinnedMesh&&Ut.skinning===!1||!Y.isSkinnedMesh&&Ut.skinning===!0||Y.isInstancedMesh&&Ut.instancingColor===!0&&Y.instanceColor===null||Y.isInstancedMesh&&Ut.instancingColor===!1&&Y.instanceColor!==null||Y.isInstancedMesh&&Ut.instancingMorph===!0&&Y.morphTexture===null||Y.isInstancedMesh&&Ut.instancingMorph===!1&&Y.morphTexture!==null||Ut.envMap!==kt||q.fog===!0&&Ut.fog!==Tt||Ut.numClippingPlanes!==void 0&&(Ut.numClippingPlanes!==it.numPlanes||Ut.numIntersection!==it.numIntersection)||Ut.vertexAlphas!==Kt||Ut.vertexTangents!==ce||Ut.morphTargets!==Bt||Ut.morphNormals!==he||Ut.morphColors!==Ye||Ut.morphTargetsCount!==fn||Ut.numLightProbeGrids!==tn(A.state.lightProbeGridArray)?fe=!0:(Ut.outputColorSpace!==At||Ut.toneMapping!==Ae)&&(rs=!0):(fe=!0,Ut.__version=q.version);let rn=Ut.currentProgram;(fe===!0||rs===!0)&&(rn=rs===!0?Kn(q,B,Y,At,Ae):ki(q,B,Y),H&&q.isNodeMaterial&&H.onUpdateProgram(q,rn,Ut));let Sr=!1,zi=!1,os=!1,oe=rn.getUniforms(),Je=Ut.uniforms;if(bt.useProgram(rn.program)&&(Sr=!0,zi=!0,os=!0),q.id!==K&&(K=q.id,zi=!0),Sr||Q!==T){bt.buffers.depth.getReversed()&&T.reversedDepth!==!0&&(T._reversedDepth=!0,T.updateProjectionMatrix()),oe.setValue(O,"projectionMatrix",T.projectionMatrix),oe.setValue(O,"viewMatrix",T.matrixWorldInverse);let on=oe.map.cameraPosition;on!==void 0&&on.setValue(O,vn.setFromMatrixPosition(T.matrixWorld)),ie.logarithmicDepthBuffer&&oe.setValue(O,"logDepthBufFC",2/(Math.log(T.far+1)/Math.LN2)),(q.isMeshPhongMaterial||q.isMeshToonMaterial||q.isMeshLambertMaterial||q.isMeshBasicMaterial||q.isMeshStandardMaterial||q.isShaderMaterial)&&oe.setValue(O,"isOrthographic",T.isOrthographicCamera===!0),Q!==T&&(Q=T,zi=!0,os=!0)}if(Ut.needsLights&&(sn.state.sunShadowMap.length>0&&oe.setValue(O,"sunShadowMap",sn.state.sunShadowMap,Xt),sn.state.directionalShadowMap.length>0&&oe.setValue(O,"directionalShadowMap",sn.state.directionalShadowMap,Xt),sn.state.spotShadowMap.length>0&&oe.setValue(O,"spotShadowMap",sn.state.spotShadowMap,Xt),sn.state.pointShadowMap.length>0&&oe.setValue(O,"pointShadowMap",sn.state.pointShadowMap,Xt)),Y.isSkinnedMesh){oe.setOptional(O,Y,"bindMatrix"),oe.setOptional(O,Y,"bindMatrixInverse");let Re=Y.skeleton;Re&&(Re.boneTexture===null&&Re.computeBoneTexture(),oe.setValue(O,"boneTexture",Re.boneTexture,Xt))}Y.isBatchedMesh&&(oe.setOptional(O,Y,"batchingTexture"),oe.setValue(O,"batchingTexture",Y._matricesTexture,Xt),oe.setOptional(O,Y,"batchingIdTexture"),oe.setValue(O,"batchingIdTexture",Y._indirectTexture,Xt),oe.setOptional(O,Y,"batchingColorTexture"),Y._colorsTexture!==null&&oe.setValue(O,"batchingColorTexture",Y._colorsTexture,Xt));let Bn=j.morphAttributes;if((Bn.position!==void 0||Bn.normal!==void 0||Bn.color!==void 0)&&rt.update(Y,j,rn),(zi||Ut.receiveShadow!==Y.receiveShadow)&&(Ut.receiveShadow=Y.receiveShadow,oe.setValue(O,"receiveShadow",Y.receiveShadow)),(q.isMeshStandardMaterial||q.isMeshLambertMaterial||q.isMeshPhongMaterial)&&q.envMap===null&&B.environment!==null&&(Je.envMapIntensity.value=B.environmentIntensity),Je.dfgLUT!==void 0&&(Je.dfgLUT.value=Zb()),zi){if(oe.setValue(O,"toneMappingExposure",U.toneMappingExposure),Ut.needsLights&&yr(Je,os),Tt&&q.fog===!0&&xt.refreshFogUniforms(Je,Tt),xt.refreshMaterialUniforms(Je,q,St,Et,A.state.transmissionRenderTarget[T.id]),Ut.needsLights&&Ut.numLightProbeGrids>0){let Re=M,on=0;for(let Pn of A.state.lightProbeGridArray)Pn.texture!==null&&(Re.textures[on]=Pn.texture,Re.min[on]=Pn.boundingBox.min,Re.max[on]=Pn.boundingBox.max,Re.resolution[on]=Pn.resolution,on++);for(let Pn in Re)Re[Pn].length=on;Je.probesSH.value=Re.textures,Je.probesMin.value=Re.min,Je.probesMax.value=Re.max,Je.probesResolution.value=Re.resolution}ho.upload(O,As(Ut),Je,Xt)}if(q.isShaderMaterial&&q.uniformsNeedUpdate===!0&&(ho.upload(O,As(Ut),Je,Xt),q.uniformsNeedUpdate=!1),q.isSpriteMaterial&&oe.setValue(O,"center",Y.center),oe.setValue(O,"modelViewMatrix",Y.modelViewMatrix),oe.setValue(O,"normalMatrix",Y.normalMatrix),oe.setValue(O,"modelMatrix",Y.matrixWorld),q.uniformsGroups!==void 0){let Re=q.uniformsGroups;for(let on=0,Pn=Re.length;on<Pn;on++){let Ha=Re[on];Gt.update(Ha,rn),Gt.bind(Ha,rn)}}return rn}function yr(T,B){T.ambientLightColor.needsUpdate=B,T.lightProbe.needsUpdate=B,T.sunLights.needsUpdate=B,T.sunLightShadows.needsUpdate=B,T.directionalLights.needsUpdate=B,T.directionalLightShadows.needsUpdate=B,T.pointLights.needsUpdate=B,T.pointLightShadows.needsUpdate=B,T.spotLights.needsUpdate=B,T.spotLightShadows.needsUpdate=B,T.rectAreaLights.needsUpdate=B,T.hemisphereLights.needsUpdate=B}function Es(T){return T.isMeshLambertMaterial||T.isMeshToonMaterial||T.isMeshPhongMaterial||T.isMeshStandardMaterial||T.isShadowMaterial||T.isShaderMaterial&&T.lights===!0}this.getActiveCubeFace=function(){return J},this.getActiveMipmapLevel=function(){return V},this.getRenderTarget=function(){return ct},this.setRenderTargetTextures=function(T,B,j){let q=zt.get(T);q.__autoAllocateDepthBuffer=T.resolveDepthBuffer===!1,q.__autoAllocateDepthBuffer===!1&&(q.__useRenderToTexture=!1),zt.get(T.texture).__webglTexture=B,zt.get(T.depthTexture).__webglTexture=q.__autoAllocateDepthBuffer?void 0:j,q.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(T,B){let j=zt.get(T);j.__webglFramebuffer=B,j.__useDefaultFramebuffer=B===void 0},this.setRenderTarget=function(T,B=0,j=0){ct=T,J=B,V=j;let q=null,Y=!1,Tt=!1;if(T){let At=zt.get(T);if(At.__useDefaultFramebuffer!==void 0){bt.bindFramebuffer(O.FRAMEBUFFER,At.__webglFramebuffer),st.copy(T.viewport),ft.copy(T.scissor),ut=T.scissorTest,bt.viewport(st),bt.scissor(ft),bt.setScissorTest(ut),K=-1;return}else if(At.__webglFramebuffer===void 0)Xt.setupRenderTarget(T);else if(At.__hasExternalTextures)Xt.rebindTextures(T,zt.get(T.texture).__webglTexture,zt.get(T.depthTexture).__webglTexture);else if(T.depthBuffer){let Kt=T.depthTexture;if(At.__boundDepthTexture!==Kt){if(Kt!==null&&zt.has(Kt)&&(T.width!==Kt.image.width||T.height!==Kt.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");Xt.setupDepthRenderbuffer(T)}}let It=T.texture;(It.isData3DTexture||It.isDataArrayTexture||It.isCompressedArrayTexture)&&(Tt=!0);let kt=zt.get(T).__webglFramebuffer;T.isWebGLCubeRenderTarget?(Array.isArray(kt[B])?q=kt[B][j]:q=kt[B],Y=!0):T.samples>0&&Xt.useMultisampledRTT(T)===!1?q=zt.get(T).__webglMultisampledFramebuffer:Array.isArray(kt)?q=kt[j]:q=kt,st.copy(T.viewport),ft.copy(T.scissor),ut=T.scissorTest}else st.copy(Vt).multiplyScalar(St).floor(),ft.copy(le).multiplyScalar(St).floor(),ut=re;if(j!==0&&(q=W),bt.bindFramebuffer(O.FRAMEBUFFER,q)&&bt.drawBuffers(T,q),bt.viewport(st),bt.scissor(ft),bt.setScissorTest(ut),Y){let At=zt.get(T.texture);O.framebufferTexture2D(O.FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_CUBE_MAP_POSITIVE_X+B,At.__webglTexture,j)}else if(Tt){let At=B;for(let It=0;It<T.textures.length;It++){let kt=zt.get(T.textures[It]);O.framebufferTextureLayer(O.FRAMEBUFFER,O.COLOR_ATTACHMENT0+It,kt.__webglTexture,j,At)}}else if(T!==null&&j!==0){let At=zt.get(T.texture);O.framebufferTexture2D(O.FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_2D,At.__webglTexture,j)}K=-1};function Mr(T){let B=zt.get(T);return(B.__readFormat!==T.format||B.__readType!==T.type)&&(B.__readFormat=T.format,B.__readType=T.type,B.__formatReadable=ie.textureFormatReadable(T.format),B.__typeReadable=ie.textureTypeReadable(T.type)),B}this.readRenderTargetPixels=function(T,B,j,q,Y,Tt,Pt,At=0){if(!(T&&T.isWebGLRenderTarget)){jt("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let It=zt.get(T).__webglFramebuffer;if(T.isWebGLCubeRenderTarget&&Pt!==void 0&&(It=It[Pt],Array.isArray(It)&&(It=It[0])),It){bt.bindFramebuffer(O.FRAMEBUFFER,It);try{let kt=T.textures[At],Kt=kt.format,ce=kt.type;T.textures.length>1&&O.readBuffer(O.COLOR_ATTACHMENT0+At);let Bt=Mr(kt);if(Bt.__formatReadable===!1){jt("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(Bt.__typeReadable===!1){jt("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}B>=0&&B<=T.width-q&&j>=0&&j<=T.height-Y&&O.readPixels(B,j,q,Y,gt.convert(Kt),gt.convert(ce),Tt)}finally{let kt=ct!==null?zt.get(ct).__webglFramebuffer:null;bt.bindFramebuffer(O.FRAMEBUFFER,kt)}}},this.readRenderTargetPixelsAsync=async function(T,B,j,q,Y,Tt,Pt,At=0){if(!(T&&T.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let It=zt.get(T).__webglFramebuffer;if(T.isWebGLCubeRenderTarget&&Pt!==void 0&&(It=It[Pt],Array.isArray(It)&&(It=It[0])),It)if(B>=0&&B<=T.width-q&&j>=0&&j<=T.height-Y){bt.bindFramebuffer(O.FRAMEBUFFER,It);let kt=T.textures[At],Kt=kt.format,ce=kt.type;T.textures.length>1&&O.readBuffer(O.COLOR_ATTACHMENT0+At);let Bt=Mr(kt);if(Bt.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(Bt.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let he=O.createBuffer();O.bindBuffer(O.PIXEL_PACK_BUFFER,he),O.bufferData(O.PIXEL_PACK_BUFFER,Tt.byteLength,O.STREAM_READ),O.readPixels(B,j,q,Y,gt.convert(Kt),gt.convert(ce),0),O.bindBuffer(O.PIXEL_PACK_BUFFER,null);let Ye=ct!==null?zt.get(ct).__webglFramebuffer:null;bt.bindFramebuffer(O.FRAMEBUFFER,Ye);let Ae=O.fenceSync(O.SYNC_GPU_COMMANDS_COMPLETE,0);return O.flush(),await lm(O,Ae,4),O.bindBuffer(O.PIXEL_PACK_BUFFER,he),O.getBufferSubData(O.PIXEL_PACK_BUFFER,0,Tt),O.bindBuffer(O.PIXEL_PACK_BUFFER,null),O.deleteBuffer(he),O.deleteSync(Ae),Tt}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(T,B=null,j=0){let q=Math.pow(2,-j),Y=Math.floor(T.image.width*q),Tt=Math.floor(T.image.height*q),Pt=B!==null?B.x:0,At=B!==null?B.y:0;Xt.setTexture2D(T,0),O.copyTexSubImage2D(O.TEXTURE_2D,j,0,0,Pt,At,Y,Tt),bt.unbindTexture()},this.copyTextureToTexture=function(T,B,j=null,q=null,Y=0,Tt=0){let Pt,At,It,kt,Kt,ce,Bt,he,Ye,Ae=T.isCompressedTexture?T.mipmaps[Tt]:T.image;if(j!==null)Pt=j.max.x-j.min.x,At=j.max.y-j.min.y,It=j.isBox3?j.max.z-j.min.z:1,kt=j.min.x,Kt=j.min.y,ce=j.isBox3?j.min.z:0;else{let oe=Math.pow(2,-Y);Pt=Math.floor(Ae.width*oe),At=Math.floor(Ae.height*oe),T.isDataArrayTexture?It=Ae.depth:T.isData3DTexture?It=Math.floor(Ae.depth*oe):It=1,kt=0,Kt=0,ce=0}q!==null?(Bt=q.x,he=q.y,Ye=q.z):(Bt=0,he=0,Ye=0);let Ee=gt.convert(B.format),fn=gt.convert(B.type),Ut;B.isData3DTexture?(Xt.setTexture3D(B,0),Ut=O.TEXTURE_3D):B.isDataArrayTexture||B.isCompressedArrayTexture?(Xt.setTexture2DArray(B,0),Ut=O.TEXTURE_2D_ARRAY):(Xt.setTexture2D(B,0),Ut=O.TEXTURE_2D),bt.activeTexture(O.TEXTURE0),bt.pixelStorei(O.UNPACK_FLIP_Y_WEBGL,B.flipY),bt.pixelStorei(O.UNPACK_PREMULTIPLY_ALPHA_WEBGL,B.premultiplyAlpha),bt.pixelStorei(O.UNPACK_ALIGNMENT,B.unpackAlignment);let sn=bt.getParameter(O.UNPACK_ROW_LENGTH),fe=bt.getParameter(O.UNPACK_IMAGE_HEIGHT),rs=bt.getParameter(O.UNPACK_SKIP_PIXELS),rn=bt.getParameter(O.UNPACK_SKIP_ROWS),Sr=bt.getParameter(O.UNPACK_SKIP_IMAGES);bt.pixelStorei(O.UNPACK_ROW_LENGTH,Ae.width),bt.pixelStorei(O.UNPACK_IMAGE_HEIGHT,Ae.height),bt.pixelStorei(O.UNPACK_SKIP_PIXELS,kt),bt.pixelStorei(O.UNPACK_SKIP_ROWS,Kt),bt.pixelStorei(O.UNPACK_SKIP_IMAGES,ce);let zi=T.isDataArrayTexture||T.isData3DTexture,os=B.isDataArrayTexture||B.isData3DTexture;if(T.isDepthTexture){let oe=zt.get(T),Je=zt.get(B),Bn=zt.get(oe.__renderTarget),Re=zt.get(Je.__renderTarget);bt.bindFramebuffer(O.READ_FRAMEBUFFER,Bn.__webglFramebuffer),bt.bindFramebuffer(O.DRAW_FRAMEBUFFER,Re.__webglFramebuffer);for(let on=0;on<It;on++)zi&&(O.framebufferTextureLayer(O.READ_FRAMEBUFFER,O.COLOR_ATTACHMENT0,zt.get(T).__webglTexture,Y,ce+on),O.framebufferTextureLayer(O.DRAW_FRAMEBUFFER,O.COLOR_ATTACHMENT0,zt.get(B).__webglTexture,Tt,Ye+on)),O.blitFramebuffer(kt,Kt,kt+Pt,Kt+At,Bt,he,Bt+Pt,he+At,O.DEPTH_BUFFER_BIT,O.NEAREST);bt.bindFramebuffer(O.READ_FRAMEBUFFER,null),bt.bindFramebuffer(O.DRAW_FRAMEBUFFER,null)}else if(Y!==0||T.isRenderTargetTexture||zt.has(T)){let oe=zt.get(T),Je=zt.get(B);bt.bindFramebuffer(O.READ_FRAMEBUFFER,N),bt.bindFramebuffer(O.DRAW_FRAMEBUFFER,G);for(let Bn=0;Bn<It;Bn++)zi?O.framebufferTextureLayer(O.READ_FRAMEBUFFER,O.COLOR_ATTACHMENT0,oe.__webglTexture,Y,ce+Bn):O.framebufferTexture2D(O.READ_FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_2D,oe.__webglTexture,Y),os?O.framebufferTextureLayer(O.DRAW_FRAMEBUFFER,O.COLOR_ATTACHMENT0,Je.__webglTexture,Tt,Ye+Bn):O.framebufferTexture2D(O.DRAW_FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_2D,Je.__webglTexture,Tt),Y!==0?O.blitFramebuffer(kt,Kt,kt+Pt,Kt+At,Bt,he,Bt+Pt,he+At,O.COLOR_BUFFER_BIT,O.NEAREST):os?O.copyTexSubImage3D(Ut,Tt,Bt,he,Ye+Bn,kt,Kt,Pt,At):O.copyTexSubImage2D(Ut,Tt,Bt,he,kt,Kt,Pt,At);bt.bindFramebuffer(O.READ_FRAMEBUFFER,null),bt.bindFramebuffer(O.DRAW_FRAMEBUFFER,null)}else os?T.isDataTexture||T.isData3DTexture?O.texSubImage3D(Ut,Tt,Bt,he,Ye,Pt,At,It,Ee,fn,Ae.data):B.isCompressedArrayTexture?O.compressedTexSubImage3D(Ut,Tt,Bt,he,Ye,Pt,At,It,Ee,Ae.data):O.texSubImage3D(Ut,Tt,Bt,he,Ye,Pt,At,It,Ee,fn,Ae):T.isDataTexture?O.texSubImage2D(O.TEXTURE_2D,Tt,Bt,he,Pt,At,Ee,fn,Ae.data):T.isCompressedTexture?O.compressedTexSubImage2D(O.TEXTURE_2D,Tt,Bt,he,Ae.width,Ae.height,Ee,Ae.data):O.texSubImage2D(O.TEXTURE_2D,Tt,Bt,he,Pt,At,Ee,fn,Ae);bt.pixelStorei(O.UNPACK_ROW_LENGTH,sn),bt.pixelStorei(O.UNPACK_IMAGE_HEIGHT,fe),bt.pixelStorei(O.UNPACK_SKIP_PIXELS,rs),bt.pixelStorei(O.UNPACK_SKIP_ROWS,rn),bt.pixelStorei(O.UNPACK_SKIP_IMAGES,Sr),Tt===0&&B.generateMipmaps===!0&&B.mipmapsAutoUpdate===!0&&O.generateMipmap(Ut),bt.unbindTexture()},this.initRenderTarget=function(T){zt.get(T).__webglFramebuffer===void 0&&Xt.setupRenderTarget(T)},this.initTexture=function(T){T.isCubeTexture?Xt.setTextureCube(T,0):T.isData3DTexture?Xt.setTexture3D(T,0):T.isDataArrayTexture||T.isCompressedArrayTexture?Xt.setTexture2DArray(T,0):Xt.setTexture2D(T,0),bt.unbindTexture()},this.resetState=function(){J=0,V=0,ct=null,bt.reset(),Mt.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return gi}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(t){this._outputColorSpace=t;let e=this.getContext();e.drawingBufferColorSpace=de._getDrawingBufferColorSpace(t),e.unpackColorSpace=de._getUnpackColorSpace()}};var mf=7;function Jb(){let i=[],t=(e,n)=>i.push(Math.cos(2*Math.PI*e/mf),Math.sin(2*Math.PI*e/mf),n);for(let e=0;e<mf;e++)t(e,0),t(e+1,0),t(e+1,1),t(e,0),t(e+1,1),t(e,1),t(e,2),t(e+1,2),t(e+.5,3);return new Float32Array(i)}var oh=class{constructor(t,e,n){this.values=new Float32Array(6*Math.max(1,t)),this.buffer=new fa(this.values,6,1),this.buffer.setUsage(qs);let s=new ua;s.setAttribute("position",new pn(Jb(),3)),s.setAttribute("from",new eo(this.buffer,3,0)),s.setAttribute("to",new eo(this.buffer,3,3)),s.instanceCount=0,this.thick={value:1};let r=new Un({side:$n,uniforms:{...e,thick:this.thick,colour:n},vertexShader:`
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
}`});this.mesh=new Dn(s,r),this.mesh.frustumCulled=!1}show(t,e){this.mesh.geometry.instanceCount=t,this.mesh.visible=t>0,this.thick.value=e,t!==0&&(this.buffer.clearUpdateRanges(),this.buffer.addUpdateRange(0,6*t),this.buffer.needsUpdate=!0)}dispose(){this.mesh.geometry.dispose(),this.mesh.material.dispose()}};function Zm(){return{sun:{value:new $(0,0,1)},up:{value:new $(0,0,1)},top:{value:new $(0,1,0)},eye:{value:new De(0,0,1,1)},paper:{value:new $(1,1,1)},shade:{value:.52},pale:{value:0}}}var Kb=`
#ifdef EDGES
attribute vec3 edge;
varying vec3 vEdge;
#endif
varying vec3 vNormal;
varying vec3 vWorld;
varying vec3 vColour;
#ifdef ROUND
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
#ifdef ROUND
  vLocal = position;
#endif
  gl_Position = projectionMatrix * (viewMatrix * world);
}`,jb=`
uniform vec3 sun;
uniform vec3 up;
uniform vec4 eye;
uniform vec3 paper;
uniform float shade;
uniform float fade;
uniform float opacity;
varying vec3 vNormal;
varying vec3 vWorld;
varying vec3 vColour;
#ifdef EDGES
varying vec3 vEdge;
#endif
#ifdef ROUND
varying vec3 vLocal;
#endif
void main() {
  vec3 toEye = normalize(eye.w > 0.5 ? eye.xyz - vWorld : eye.xyz);
  vec3 n = normalize(vNormal);
  float facing = dot(n, toEye);
  if (facing < 0.0) { n = -n; facing = -facing; }
  vec3 colour = vColour;
#ifdef ROUND
  if (vLocal.x * vLocal.y > 0.0) colour *= 0.84; // two tones: one sees balls turn
#endif
  float light = shade + 0.44 * max(0.0, dot(n, sun)) + 0.1 * facing + 0.06 * dot(n, up);
  colour *= light;
#ifdef ROUND
  colour *= 0.6 + 0.4 * smoothstep(0.0, 0.42, facing);
#endif
#ifdef EDGES
  vec3 across = fwidth(vEdge);
  vec3 away = vEdge / max(across, vec3(1e-6)) + step(0.999, vEdge) * 9.0;
  float line = 1.0 - smoothstep(0.5, 1.3, min(away.x, min(away.y, away.z)));
  colour *= 1.0 - 0.55 * line * clamp(1.6 - 4.0 * max(across.x, max(across.y, across.z)), 0.0, 1.0);
#endif
  gl_FragColor = vec4(mix(colour, paper, fade), opacity);
}`,Qb=`
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
}`,t1=`
uniform vec3 paper;
uniform float shade;
uniform float fade;
uniform float opacity;
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
  colour *= shade + 0.44 * max(0.0, dot(n, vSun)) + 0.1 * n.z + 0.06 * dot(n, vUp);
  colour *= 0.6 + 0.4 * smoothstep(0.0, 0.42, n.z);
  gl_FragColor = vec4(mix(colour, paper, fade), opacity);
}`;function Jm(i,t,e){let n={};i.round&&(n.ROUND=1),i.edges&&(n.EDGES=1);let s=new Un({defines:n,vertexShader:i.disc?Qb:Kb,fragmentShader:i.disc?t1:jb,side:i.open?$n:Ki,uniforms:{...e,fade:t==="moving"?e.pale:{value:0},opacity:{value:t==="veil"?.3:1}}});return t==="depth"&&(s.colorWrite=!1),t==="veil"&&Object.assign(s,{blending:pa,blendEquation:vs,blendSrc:ga,blendDst:xa,depthFunc:Kr,depthWrite:!1}),s}function Km(i,t){return new Un({uniforms:{...i,...t},vertexShader:`
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
}`,side:$n,depthWrite:!1,blending:pa,blendEquation:fc,blendSrc:ma,blendDst:ma})}function jm(i){return new Un({uniforms:i,transparent:!0,vertexShader:`
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
}`})}var ah=class{constructor(t){this.bodies=t;let{size:e}=t.room;this.reach={value:new pe(.6*e,1.3*e)},this.face={value:new $},this.lines={value:new $},this.grid=Pr(e/5),this.geometry=new oa(1.3*e,72),this.list=[];for(let n=0;n<t.partBody.length;n++)t.shapes[t.partShape[n]].endless&&this.add(n);this.ground=this.makeGround()}add(t){let e={value:new pe},n=jm({face:this.face,lines:this.lines,reach:this.reach,grid:{value:this.grid},shift:e}),s=new Dn(this.geometry,n);s.frustumCulled=!1,this.list.push({part:t,mesh:s,shift:e,body:this.bodies.partBody[t],placed:!1})}makeGround(){let t=this.bodies.source.up??[0,0,1],e=null,n=.5;for(let s of this.list){let{normal:r}=this.placeOf(s.part),o=r[0]*t[0]+r[1]*t[1]+r[2]*t[2];o>n+1e-6&&([e,n]=[s,o])}return e?(this.under=e,{ground:{value:new De},middle:{value:new $},darkened:{value:new $},reach:this.reach}):null}placeOf(t){let e=ls(this.bodies,t);return{place:e,normal:In(e.slice(3),[0,0,1])}}update(){for(let t of this.list)t.placed&&this.bodies.slot[t.body]<0||(t.placed=!0,this.put(t))}put(t){let{place:e,normal:n}=this.placeOf(t.part),{centre:s}=this.bodies.room,r=[0,1,2].map(h=>s[h]-e[h]),o=r[0]*n[0]+r[1]*n[1]+r[2]*n[2],a=s.map((h,u)=>h-o*n[u]),l=e.slice(3),c=[[1,0,0],[0,1,0]].map(h=>In(l,h).reduce((u,f,d)=>u+f*r[d],0));t.mesh.position.set(...a),t.mesh.quaternion.set(l[1],l[2],l[3],l[0]),t.shift.value.set(...c),t===this.under&&(this.ground.ground.value.set(...n,a.reduce((h,u,f)=>h+u*n[f],0)),this.ground.middle.value.set(...a))}setTheme(t,e){let n=t.dark?[.02,.11]:[-.025,-.13];this.face.value.set(...e.map(s=>s+n[0])),this.lines.value.set(...e.map(s=>s+n[1])),this.ground?.darkened.value.set(...e.map(s=>t.dark?.45*s:s-.19))}dispose(){this.geometry.dispose();for(let{mesh:t}of this.list)t.material.dispose()}};function e1({kind:i,radius:t,half_length:e}){let n=Math.SQRT1_2*t;return i==="capsule"?[[0,-e-t],[n,-e-n],[t,-e],[t,e],[n,e+n],[0,e+t]]:i==="cylinder"?[[0,-e],[t,-e],[t,e],[0,e]]:i==="cone"?[[0,-e],[t,-e],[0,e]]:null}function Qm(i){let t=i.radius>0&&i.half_length>0?e1(i):null;if(!t)return null;let e=[],n=[];for(let[o,a]of t){n.push(e.length/3);for(let l=0;l<(o>0?10:1);l++)e.push(o*Math.cos(2*Math.PI*l/10),o*Math.sin(2*Math.PI*l/10),a)}let s=[],r=(o,a)=>n[o]+(t[o][0]>0?a%10:0);for(let o=0;o+1<t.length;o++)for(let a=0;a<10;a++)t[o][0]>0&&s.push(r(o,a),r(o,a+1),r(o+1,a)),t[o+1][0]>0&&s.push(r(o,a+1),r(o+1,a+1),r(o+1,a));return{points:e,triangles:s}}var n1=.8,i1=.75,s1=.99,r1=[-1,-1,-1,1,-1,-1,1,1,-1,-1,1,-1,-1,-1,1,1,-1,1,1,1,1,-1,1,1],o1=[0,2,1,0,3,2,4,5,6,4,6,7,0,1,5,0,5,4,2,3,7,2,7,6,1,2,6,1,6,5,0,4,7,0,7,3],gf=2e3;function a1(i){let[t,e]=i<=300?[40,26]:i<=gf?[20,13]:[10,7];return new la(1,t,e)}function l1(){let i=new Rn;return i.setAttribute("position",new pn(new Float32Array([-1,-1,0,1,-1,0,1,1,0,-1,1,0]),3)),i.setIndex([0,1,2,0,2,3]),i}var lh=class{constructor(t,e){this.shapes=t,this.count=e,this.made=new Map}of(t,e){let n=this.shapes[t];if(n.kind==="sphere"){let s=n.radius>0?n.radius:e;return this.count<=gf?{...this.ball(),scale:[s,s,s]}:{...this.keep("disc",l1),scale:[s,s,s],round:!0,disc:!0,solid:this.ball().geometry}}return n.kind==="ellipsoid"&&n.half?{...this.ball(),scale:n.half}:n.kind==="box"&&n.half?.length===3?{...this.keep("box",()=>tg(r1,o1,!0)),scale:n.half}:this.surface(n,t)}ball(){return{...this.keep("ball",()=>a1(this.count)),round:!0}}surface(t,e){let n=this.count>gf||!t.triangles?Qm(t):null,{points:s,triangles:r}=n??t;if(!s||!r)return null;let o=t.kind==="hull"||t.kind==="box",a=t.kind==="mesh"||t.kind==="height-field";return{...this.keep(e,()=>tg(s,r,o)),scale:[1,1,1],open:a}}keep(t,e){return this.made.has(t)||this.made.set(t,e()),{geometry:this.made.get(t),key:t}}dispose(){for(let t of this.made.values())t.dispose()}};function tg(i,t,e){let n=c1(i,t),s=h1(i.length/3,t,n,e),r=u1(i.length/3,t,n,e),o={position:[],normal:[],edge:[]},a=new Map,l=Array.from(t,(h,u)=>{let[f,d]=[s.subarray(3*u,3*u+3),r.subarray(3*u,3*u+3)],g=`${h} ${f} ${d}`;if(!a.has(g)){a.set(g,a.size);for(let v=0;v<3;v++)o.position.push(i[3*h+v]);o.normal.push(...f),o.edge.push(...d)}return a.get(g)}),c=new Rn;for(let[h,u]of Object.entries(o))c.setAttribute(h,new pn(new Float32Array(u),3));return c.setIndex(l),c}function c1(i,t){let e=new Float32Array(t.length);for(let n=0;n<t.length;n+=3){let[s,r,o]=[0,1,2].map(a=>i.slice(3*t[n+a],3*t[n+a]+3));e.set(Ls(Xi(Ti(r,s),Ti(o,s))),n)}return e}var eg=(i,t,e)=>i[t]*i[e]+i[t+1]*i[e+1]+i[t+2]*i[e+2];function h1(i,t,e,n){let s=Array.from({length:n?0:i},()=>[]);if(!n)for(let o=0;o<t.length;o++)s[t[o]].push(o-o%3);let r=new Float32Array(3*t.length);for(let o=0;o<t.length;o++){let a=o-o%3,l=[0,0,0];for(let h of n?[a]:s[t[o]])if(eg(e,a,h)>=n1)for(let u=0;u<3;u++)l[u]+=e[h+u];let c=Math.hypot(...l)||1;for(let h=0;h<3;h++)r[3*o+h]=l[h]/c}return r}function u1(i,t,e,n){let s=new Map,r=(l,c)=>Math.min(l,c)*i+Math.max(l,c),o=l=>{let c=l-l%3;return[t[c+(l+1)%3],t[c+(l+2)%3]]};for(let l=0;l<t.length;l++){let c=r(...o(l));s.has(c)||s.set(c,[]),s.get(c).push(l-l%3)}let a=new Float32Array(3*t.length).fill(1);for(let l=0;l<t.length;l++){let c=l-l%3,h=s.get(r(...o(l)));if(!(h.length===2&&eg(e,h[0],h[1])>=(n?s1:i1)))for(let u=0;u<3;u++)c+u!==l&&(a[3*(c+u)+l%3]=0)}return a}var f1=[0,0,0,1,0,0,0],ch=class{constructor(t,e){this.geometry=t.geometry,this.solid=t.solid??t.geometry,this.kind={round:t.round,disc:t.disc,open:t.open,edges:t.geometry.hasAttribute("edge")},this.still=e,this.parts=[],this.bodies=[],this.frames=[],this.centred=!0,this.meshes=[]}add(t,e,n,s){this.parts.push(t),this.bodies.push(e),f1.some((o,a)=>Math.abs(n[a]-o)>1e-7)&&(this.centred=!1);let r=new Float64Array(16);d1(r,0,n[3],n[4],n[5],n[6],s),this.frames.push(r[0],r[1],r[2],r[4],r[5],r[6],r[8],r[9],r[10],n[0],n[1],n[2])}finish(t){let e=this.parts.length;this.bodies=Int32Array.from(this.bodies),this.frames=Float32Array.from(this.frames),this.moves=this.bodies.some(n=>t(n)),this.matrices=new Float32Array(16*e),this.colours=new Float32Array(3*e);for(let n=0;n<e;n++)this.matrices[16*n+15]=1;this.matrixAttribute=new Vs(this.matrices,16),this.colourAttribute=new Vs(this.colours,3),this.moves&&this.matrixAttribute.setUsage(qs),this.colourAttribute.setUsage(qs)}place(t,e,n){let s=this.still?["still","depth","veil"]:["moving"];for(let r of s)t[r].add(this.mesh(this.geometry,Jm(this.kind,r,e)));n&&t.shadow.add(this.mesh(this.solid,Km(e,n)))}mesh(t,e){let n=new ea(t,e,0);return n.instanceMatrix=this.matrixAttribute,n.instanceColor=this.colourAttribute,n.count=this.parts.length,n.frustumCulled=!1,n.matrixAutoUpdate=!1,n.matrixWorld=new Ie,this.meshes.push(n),n}move(t){this.centred?p1(this.matrices,this.frames,this.bodies,t):m1(this.matrices,this.frames,this.bodies,t),this.matrixAttribute.needsUpdate=!0}paint(t){let{bodies:e,colours:n}=this;for(let s=0,r=0;s<e.length;s++,r+=3){let o=3*e[s];n[r]=t[o],n[r+1]=t[o+1],n[r+2]=t[o+2]}this.colourAttribute.needsUpdate=!0}dispose(){for(let t of this.meshes)t.material.dispose(),t.dispose()}};function d1(i,t,e,n,s,r,o){i[t]=o[0]*(1-2*(s*s+r*r)),i[t+1]=o[0]*2*(n*s+e*r),i[t+2]=o[0]*2*(n*r-e*s),i[t+4]=o[1]*2*(n*s-e*r),i[t+5]=o[1]*(1-2*(n*n+r*r)),i[t+6]=o[1]*2*(s*r+e*n),i[t+8]=o[2]*2*(n*r+e*s),i[t+9]=o[2]*2*(s*r-e*n),i[t+10]=o[2]*(1-2*(n*n+s*s))}function p1(i,t,e,n){for(let s=0,r=0,o=0;s<e.length;s++,r+=16,o+=12){let a=7*e[s],l=n[a+3],c=n[a+4],h=n[a+5],u=n[a+6],f=t[o],d=t[o+4],g=t[o+8];i[r]=f*(1-2*(h*h+u*u)),i[r+1]=f*2*(c*h+l*u),i[r+2]=f*2*(c*u-l*h),i[r+4]=d*2*(c*h-l*u),i[r+5]=d*(1-2*(c*c+u*u)),i[r+6]=d*2*(h*u+l*c),i[r+8]=g*2*(c*u+l*h),i[r+9]=g*2*(h*u-l*c),i[r+10]=g*(1-2*(c*c+h*h)),i[r+12]=n[a],i[r+13]=n[a+1],i[r+14]=n[a+2]}}function m1(i,t,e,n){for(let s=0,r=0,o=0;s<e.length;s++,r+=16,o+=12){let a=7*e[s],l=n[a+3],c=n[a+4],h=n[a+5],u=n[a+6],f=1-2*(h*h+u*u),d=2*(c*h-l*u),g=2*(c*u+l*h),v=2*(c*h+l*u),m=1-2*(c*c+u*u),p=2*(h*u-l*c),S=2*(c*u-l*h),y=2*(h*u+l*c),M=1-2*(c*c+h*h);for(let R=0;R<4;R++){let A=t[o+3*R],x=t[o+3*R+1],E=t[o+3*R+2];i[r+4*R]=f*A+d*x+g*E,i[r+4*R+1]=v*A+m*x+p*E,i[r+4*R+2]=S*A+y*x+M*E}i[r+12]+=n[a],i[r+13]+=n[a+1],i[r+14]+=n[a+2]}}var g1=["floor","shadow","still","moving","depth","veil","marks"],x1=1500;function ng(){try{let i=document.createElement("canvas").getContext("webgl2");if(!i)return null;let t=i.getExtension("WEBGL_debug_renderer_info"),e=t?i.getParameter(t.UNMASKED_RENDERER_WEBGL):"";return i.getExtension("WEBGL_lose_context")?.loseContext(),{software:/swiftshader|llvmpipe|software|basic render/i.test(String(e))}}catch{return null}}var hh=class{constructor(t,e,n,s,{software:r,say:o}){Object.assign(this,{canvas:t,bodies:e,contacts:n,camera:s,software:r,say:o});let a=t.getContext("webgl2",{antialias:!r||e.count<x1,alpha:!1,stencil:!1});this.renderer=new ih({canvas:t,context:a}),this.renderer.outputColorSpace=gs,this.renderer.autoClear=!1,this.shared=Zm(),this.scenes=Object.fromEntries(g1.map(l=>[l,new Jo]));for(let l of Object.values(this.scenes))l.matrixWorldAutoUpdate=l===this.scenes.floor;this.eyes={near:new Xn(s.field*180/Math.PI,1,.1,100),far:new so},this.geometries=new lh(e.shapes,e.partBody.length),this.picker=new Lr(e),this.floors=new ah(e),this.makeGroups(),this.makeSprings(),this.force={value:new $},this.arrows=null,this.lost=!1,this.fresh=!0,this.watchContext()}makeGroups(){let{bodies:t}=this,e=new Map,n=.006*t.room.size;for(let s=0;s<t.partBody.length;s++){let r=t.partShape[s];if(t.shapes[r].endless)continue;let o=this.geometries.of(r,n);if(!o)continue;let a=t.partBody[s],l=t.roles[a]!==0,c=`${o.key} ${l}`;e.has(c)||e.set(c,new ch(o,l)),e.get(c).add(s,a,t.partPose.subarray(7*s,7*s+7),o.scale)}this.groups=[...e.values()];for(let s of this.groups)s.finish(r=>t.slot[r]>=0),s.place(this.scenes,this.shared,this.floors.ground);for(let{mesh:s}of this.floors.list)this.scenes.floor.add(s)}makeSprings(){let t=this.bodies.springs.length;if(this.springs=null,t===0)return;let e=new Rn,n=new pn(new Float32Array(6*t),3);n.setUsage(qs),e.setAttribute("position",n),this.springs=new na(e,new no({toneMapped:!1})),this.springs.frustumCulled=!1,this.scenes.marks.add(this.springs)}watchContext(){this.onLost=t=>{t.preventDefault(),this.lost=!0,this.say("The graphics card took its memory back: the picture returns when it can.")},this.onRestored=()=>{this.lost=!1,this.fresh=!0,this.say("")},this.canvas.addEventListener("webglcontextlost",this.onLost),this.canvas.addEventListener("webglcontextrestored",this.onRestored)}setTheme(t){let e=wi(t.paper);this.shared.paper.value.set(...e),this.shared.shade.value=t.dark?.56:.54,this.force.value.set(...wi(t.paints.force)),this.springs?.material.color.setRGB(...wi(t.ink),gs),this.renderer.setClearColor(new me().setRGB(...e,gs),1),this.floors.setTheme(t,e),this.setSun(),this.fresh=!0}setSun(){let{first:t,second:e,up:n}=this.camera;this.shared.sun.value.set(...[0,1,2].map(s=>n[s]+.22*t[s]-.6*e[s])).normalize(),this.shared.up.value.set(...n)}resize(t,e){this.renderer.setPixelRatio(Math.min(window.devicePixelRatio||1,this.software?1:2)),this.renderer.setSize(t,e,!1),this.fresh=!0}draw(t){if(!this.lost){for(let e of this.groups)(this.fresh||t.moved&&e.moves)&&e.move(this.bodies.pose),(this.fresh||t.painted)&&e.paint(t.rgb);this.floors.update(),this.drawArrows(t),this.springs&&Nr(this.bodies,this.springs.geometry.attributes.position.array),this.springs&&(this.springs.geometry.attributes.position.needsUpdate=!0),this.shared.pale.value=t.arrows?.45:0,this.fresh=!1,this.render(this.placeEye(),t.settings.shadows)}}drawArrows({arrows:t}){if(t&&!this.arrows&&(this.arrows=new oh(this.contacts.most(),this.shared,this.force),this.scenes.marks.add(this.arrows.mesh)),!this.arrows)return;let e=t?this.contacts.arrows(this.bodies.nearest,t.scale,t.longest,this.arrows.values):0;this.arrows.show(e,t?.thick??1)}render(t,e){let{renderer:n,scenes:s}=this;n.clear(),n.render(s.floor,t),e&&this.floors.ground&&n.render(s.shadow,t),n.render(s.still,t),n.clearDepth(),n.render(s.moving,t),s.veil.children.length>0&&(n.render(s.depth,t),n.render(s.veil,t)),n.clearDepth(),(this.arrows?.mesh.visible||this.springs)&&n.render(s.marks,t)}placeEye(){let{camera:t}=this,{top:e,toward:n}=t.axes(),s=3*t.room.size+t.distance,r=t.perspective?this.eyes.near:this.eyes.far;if(t.perspective)r.aspect=t.aspect,r.near=Math.max(t.distance-s,.01*t.distance),r.far=t.distance+s;else{let a=t.height/2;Object.assign(r,{left:-a*t.aspect,right:a*t.aspect,top:a,bottom:-a,near:.1*t.room.size,far:2*s})}let o=t.perspective?t.distance:s;return r.position.set(...t.target.map((a,l)=>a+o*n[l])),r.up.set(...e),this.shared.top.value.set(...e),r.lookAt(...t.target),r.updateProjectionMatrix(),this.shared.eye.value.set(...t.perspective?r.position.toArray():n,t.perspective?1:0),r}pick(t,e){return this.picker.pick(this.camera.ray(t,e))}dispose(){this.canvas.removeEventListener("webglcontextlost",this.onLost),this.canvas.removeEventListener("webglcontextrestored",this.onRestored);for(let t of this.groups)t.dispose();this.geometries.dispose(),this.floors.dispose(),this.arrows?.dispose(),this.springs?.geometry.dispose(),this.springs?.material.dispose(),this.renderer.dispose(),this.renderer.forceContextLoss()}};var _1=2500,v1=2.2,y1="this browser has no WebGL: planar view";async function ig(i,t,e){let n=await Qd(i,e),s=await np(n);return await n.begin(),new xf(i,n,s,t,e)}var xf=class{constructor(t,e,n,s,r){Object.assign(this,{record:t,bodies:e,residuals:n,host:s,context:r}),this.contacts=new el(e),this.colours=new Qa(e,this.contacts,n,t.time_unit??"s"),this.camera=e.planar?new il(e.room):new sl(e.room,e.source.up??[0,0,1]),this.settings={colour:"body",forces:!1,forceScale:1,follow:-1,shadows:null},this.selected=-1,this.hovered=-1,this.dirty=!0,this.canvas=D("canvas",{role:"img","aria-label":this.describe(),tabindex:0,style:"width:100%;height:100%;display:block"}),s.append(this.canvas),this.painter=this.choosePainter(),this.overlay=new rl(s,e.planar);let o=Hd({bodies:e,contacts:this.contacts,residuals:n,settings:this.settings,camera:this.camera,changed:()=>{this.dirty=!0},select:a=>{this.selected=a}});this.controls=o.elements,this.follow=o.follow,this.pointer=null,tp(this.canvas,this.camera,{hover:(a,l)=>{this.pointer=[a,l]},click:(a,l)=>this.click(a,l)}),this.onKey=a=>this.key(a),this.canvas.addEventListener("keydown",this.onKey),this.endTheme=r.onTheme(()=>this.setTheme()),this.setTheme(),this.resize()}choosePainter(){let{canvas:t,bodies:e,contacts:n,camera:s,context:r}=this;if(e.planar)return new ol(t,e,n,s);let a=r.webgl===!1||/[?&]webgl=off\b/.test(window.location.search)?null:ng();return a?(this.settings.shadows=!a.software||e.count<=_1,new hh(t,e,n,s,{software:a.software,say:r.say})):(r.say(y1),new tl(t,e,n,s))}setTheme(){let t=this.context.theme();this.colours.setTheme(t),this.painter.setTheme(t),this.overlay.setTheme(t),this.dirty=!0}resize(){let t=this.host.clientWidth,e=this.host.clientHeight;t<1||e<1||(this.camera.resize(t,e),this.painter.resize(t,e),this.dirty=!0)}update(t,e){let{bodies:n,settings:s}=this;if(n.chunks.failure)throw n.chunks.failure;let r=n.seek(t);this.loadContacts(),this.point();let o=this.colours.update(s.colour,this.selected);s.follow>=0&&(r||this.dirty)&&this.camera.centre(n.pose.subarray(7*s.follow,7*s.follow+3));let a=this.playing&&!e;if(this.playing=e,!r&&!o&&!this.dirty&&!a&&this.seen===this.camera.version)return;this.seen=this.camera.version,this.dirty=!1;let l=this.arrowScale();this.painter.draw({moved:r,painted:o,rgb:this.colours.rgb,settings:s,arrows:l,playing:e}),this.write(l)}loadContacts(){!(this.settings.forces||this.settings.colour==="force")||this.contacts.ready||this.contacts.asked||this.contacts.load().then(()=>{this.dirty=!0},e=>{this.bodies.chunks.failure=e})}arrowScale(){let{settings:t,contacts:e,bodies:n,camera:s}=this;if(!t.forces||!e.ready||!(e.typical>0))return null;let r=Math.min(v1*(n.room.radius||n.room.size),.15*n.room.size),o=.6*n.room.size;return{scale:t.forceScale*r/e.typical,longest:o,thick:Math.min(.05*r,.004*s.height)}}point(){if(!this.pointer)return;let[t,e]=this.pointer;this.pointer=null;let n=t>=0?this.painter.pick(t,e):-1;n!==this.hovered&&(this.hovered=n,this.canvas.style.cursor=n>=0?"pointer":"grab",this.dirty=!0)}click(t,e){let n=this.painter.pick(t,e);n>=0&&n===this.selected&&this.settings.follow!==n?this.follow(n):n<0&&this.settings.follow>=0&&this.follow(-1),this.selected=n,this.dirty=!0}key(t){t.key==="f"&&this.selected>=0?this.follow(this.settings.follow===this.selected?-1:this.selected):t.key==="Escape"&&(this.selected=-1,this.follow(-1))}write(t){let e=[],n=this.hovered>=0?this.hovered:this.selected;n>=0&&e.push(this.describeBody(n)),this.settings.colour==="residual"&&this.residuals&&e.push(this.describeWorst()),this.overlay.write(e.join(`
`)),this.overlay.scale(this.colours.bar),this.camera.axes&&this.overlay.turn(this.camera.axes()),this.overlay.measure(this.camera.perspective?0:this.camera.size[1]/this.camera.height,this.bodies.source.length_unit??"m"),this.writeForceKey(t)}writeForceKey(t){if(!t){this.overlay.forceKey(0,"");return}let e=t.scale*this.camera.size[1]/this.camera.height,n=Pr(48/e);this.overlay.forceKey(n*e,`${Ai(n)} ${this.bodies.source.force_unit??"N"}`)}describeBody(t){let{bodies:e,record:n}=this,s=e.source.length_unit??"m",r=7*t,o=Array.from(e.pose.subarray(r,r+e.dimension),Ai).join(", "),a=[""," (fixed)"," (driven)"][e.roles[t]]??"",l=e.slot[t]>=0?`
speed ${Ai(e.speed(t))} ${s}/${n.time_unit??"s"}`:"",c=this.contacts.ready&&this.settings.colour==="force"?`
contact forces ${Ai(this.colours.load[t])} ${e.source.force_unit??"N"}`:"",h=this.settings.follow===t?`
followed`:"";return`${e.names[t]}${a}
at (${o}) ${s}${l}${c}${h}`}describeWorst(){let t=this.residuals(this.bodies.nearest),e=r=>r>=0?this.bodies.names[r]:"none",n=t.a>=0||t.b>=0?`
worst contact: ${e(t.a)} – ${e(t.b)}`:"",s=Number.isFinite(t.penetration)?`
penetration ${Ai(t.penetration)} ${this.bodies.source.length_unit??"m"}`:"";return`residual ${Ai(t.residual)}${n}${s}`}describe(){let{bodies:t}=this,e=t.roles.reduce((s,r)=>s+(r!==0?1:0),0),n=t.planar?"Arrow keys move the view":"Arrow keys turn the view, with Shift they move it";return`${t.count-e} moving and ${e} fixed bodies ${t.planar?"in the plane":"in space"}. ${n}; + and - zoom, 0 shows all.`}dispose(){this.endTheme?.(),this.bodies.dispose(),this.painter.dispose(),this.overlay.dispose(),this.canvas.remove()}};async function sg(i,t,e){let n=document.createElement("canvas");return n.setAttribute("role","img"),n.setAttribute("aria-label","film"),n.tabIndex=0,t.append(n),{update:r=>{let o=window.devicePixelRatio||1;n.width=t.clientWidth*o,n.height=t.clientHeight*o,n.style.width=t.clientWidth+"px",n.style.height=t.clientHeight+"px";let a=n.getContext("2d");a.scale(o,o),a.fillStyle=e.theme().ink,a.fillText("film at "+r,20,30)},resize(){},dispose(){n.remove()}}}var rg=[{name:"Bodies",takes:i=>!!i.bodies,create:ig},{name:"Drawing",takes:i=>!!i.film,create:sg}];var b1=3e3;function og(i,t,e){let n=[];for(let o of i)for(let a of rg)a.takes(o)&&n.push(w1(a,o,i.length>1,t,e));e.classList.toggle("several",n.length>1);let s=0;return{update:(o,a)=>{let l=performance.now();for(let c of n)c.update(o,a);a&&(performance.measure("thud-view",{start:l,end:performance.now()}),s+=1,s%b1===0&&performance.clearMeasures("thud-view"))},empty:n.length===0}}function w1(i,t,e,n,s){let r=D("div",{class:"host"}),o=D("p",{class:"word","aria-live":"polite"}),a=D("div",{class:"view-controls"}),l=D("figcaption",{},e&&D("span",{class:"view-name"},t.label),a,o),c=D("figure",{class:"view"},r,l);s.append(c);let h=D("p",{class:"unseen",role:"status"});c.append(h);let u=null,f=y=>{u=null,r.replaceChildren(D("p",{class:"failed",role:"alert"},`This view stopped: ${y?.message??y}`)),c.classList.add("broken")},d=y=>{try{return y()}catch(M){return f(M)}},g={numbers:dn,release:Ed,clock:n,theme:Ge,onTheme:Gn,say:y=>{o.textContent=y}};Promise.resolve().then(()=>i.create(t,r,g)).then(y=>{u=y,a.append(...y.controls??[]),new ResizeObserver(()=>u&&d(()=>u.resize())).observe(r)}).catch(f);let v=!0;new IntersectionObserver(y=>{v=y[y.length-1].isIntersecting}).observe(r);let m=null,p=y=>{y===m||!u.describe||(m=y,h.textContent=u.describe())};return{update:(y,M)=>{!u||!v||d(()=>{u.update(y,M),M||p(y)})}}}var T1={play:"M7 4.5v15l12-7.5z",pause:"M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",next:"M6 5.5l9 6.5-9 6.5zM16 5.5h2.2v13H16z",previous:"M18 5.5L9 12l9 6.5zM8 5.5H5.8v13H8z"},A1={loop:"M5 11a6.5 6.5 0 0 1 11.5-3.5L19 10M19 5v5h-5M19 13a6.5 6.5 0 0 1-11.5 3.5L5 14M5 19v-5h5",in:"M5 12h14M12 5v14",out:"M5 12h14",left:"M14.5 6l-6 6 6 6",right:"M9.5 6l6 6-6 6",whole:"M4 12h16M8 8l-4 4 4 4M16 8l4 4-4 4",good:"M5 12.5l4.5 4.5L19 7.5",failed:"M6.5 6.5l11 11M17.5 6.5l-11 11",coarse:"M12 5v9M12 18v.5",stopped:"M8 8h8v8H8z",unfinished:"M12 6v6l4 2.5",warning:"M12 4.5L3.5 19h17zM12 10v4.5M12 17v.3",sun:"M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.4 1.4M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4",help:"M9 9.2a3 3 0 1 1 4.6 2.5c-1 .7-1.6 1.2-1.6 2.3M12 17.5v.3"};function Di(i){let t=T1[i],e=t?En("path",{d:t,fill:"currentColor"}):En("path",{d:A1[i],fill:"none",stroke:"currentColor","stroke-width":1.9,"stroke-linecap":"round","stroke-linejoin":"round"});return En("svg",{viewBox:"0 0 24 24",class:"icon","aria-hidden":"true"},e)}var E1="⁰¹²³⁴⁵⁶⁷⁸⁹";function Ca(i){let t=[...String(Math.abs(i))].map(e=>E1[e]).join("");return`10${i<0?"⁻":""}${t}`}var ag=i=>i.includes(".")?i.replace(/\.?0+$/,""):i,fo=i=>i.replace("-","−");function Se(i,t=5){if(typeof i!="number"||Number.isNaN(i))return"–";if(!Number.isFinite(i))return i>0?"∞":"−∞";if(i===0)return"0";if(Number.isInteger(i)&&Math.abs(i)<1e7)return fo(String(i));let e=Math.abs(i);if(e>=.001&&e<1e6)return fo(ag(i.toPrecision(t)));let[n,s]=i.toExponential(t-1).split("e");return`${fo(ag(n))}·${Ca(Number(s))}`}var _i=(i,t)=>t?`${i} ${t}`:i,ci=(i,t,e)=>_i(Se(i,e),typeof i=="number"?t:""),fr=i=>i==null?"–":typeof i=="number"?Se(i,6):String(i);function po(i){let t=i[1]-i[0],e=Math.min(12,Math.max(0,3-Math.floor(Math.log10(t||1)))),n=Math.max(Math.abs(i[0]),Math.abs(i[1]))>=1e7||e>9;return s=>n?Se(s,7):fo(s.toFixed(e))}function lg(i){let t=Math.max(0,-Math.floor(Math.log10(i)+1e-9));for(;t<15&&Math.abs(i*10**t-Math.round(i*10**t))>1e-6;)t++;return t}function _f(i,t){if(i.length===0)return[];let e=Math.max(...i.map(Math.abs));if(e>=1e6||e>0&&e<.001){let s=Math.floor(Math.log10(e)),r=lg(t/10**s);return i.map(o=>o===0?"0":`${fo((o/10**s).toFixed(r))}·${Ca(s)}`)}let n=lg(t);return i.map(s=>fo((Math.abs(s)<t*1e-6?0:s).toFixed(n)))}var Ys=i=>i.replace(/_/g," "),es=(i,t,e=`${t}s`)=>`${Se(i)} ${i===1?t:e}`;var cg=(i,t)=>(i.panels??[]).find(e=>e.group===t&&e.unit)?.unit??"",R1=i=>i.bodies?.length_unit??(i.panels??[]).find(t=>/position|^q$/.test(t.name)&&t.unit)?.unit??"",hg=(i,t)=>[i,t].filter(e=>e!=null).join(" – ");function ug(i){let t=i.summary??{},e=o=>typeof o=="number"?`at t = ${ci(o,i.time_unit)}`:"",n=[],s=(o,a,l,...c)=>{typeof a=="number"&&n.push({label:o,text:ci(a,l,3),detail:c.filter(Boolean).join(", ")})},r=(o,a,l)=>o??hg(a,l);return s("Residual",t.residual,"",r(t.residual_constraint,t.residual_a,t.residual_b),e(t.residual_time)),s("Penetration",t.penetration,R1(i),r(t.penetration_constraint,t.penetration_a,t.penetration_b),e(t.penetration_time)),s("Energy defect",t.ledger?.defect,cg(i,"energy")),s("Steps",t.steps,"",t.rejected_steps>0&&`${Se(t.rejected_steps)} rejected`),s("Events",t.events_total??i.events?.total,"",typeof t.impacts=="number"&&es(t.impacts,"impact")),s("Bodies",t.bodies,"",typeof t.most_contacts=="number"&&`at most ${es(t.most_contacts,"contact")}`),s("Variation",t.variation,""),s("Proved arcs",t.proved_arcs,"",typeof t.arcs=="number"&&`of ${Se(t.arcs)}`),s("End",i.span?.[1],i.time_unit),n}function vf(i){let t=-1;for(let e=0;e<i.length;e++)!Number.isNaN(i[e])&&(t<0||i[e]>i[t])&&(t=e);return t}async function fg(i){let t=i.summary??{},e=[],n=(r,o,a,l,c)=>e.push({label:r,text:ci(o,a,3),detail:o===0?"":[c,`at t = ${ci(l,i.time_unit)}`,"of the rows shown"].filter(Boolean).join(", ")}),{bodies:s}=i;if(s){let[r,o,a,l,c]=await Promise.all([s.t,s.residual,s.penetration,s.worst_a,s.worst_b].map(dn)),[h,u]=[vf(o),vf(a)],f=h>=0&&l[h]>=0?hg(s.names?.[l[h]],s.names?.[c[h]]):"";typeof t.residual!="number"&&h>=0&&n("Residual",o[h],"",r[h],f),typeof t.penetration!="number"&&u>=0&&n("Penetration",a[u],s.length_unit,r[u],"")}else if(typeof t.residual!="number"){let r=(i.panels??[]).find(c=>c.name==="residual")?.series[0],[o,a]=r?await Promise.all([dn(r.x),dn(r.y)]):[[],[]],l=vf(a);l>=0&&n("Residual",a[l],"",o[l],"")}return e}var C1=new Set(["events","warnings","title","verdict","reason","method"]),P1=400;function dg(i,t,e){if(Array.isArray(i)&&i.every(n=>n===null||typeof n!="object"))e.push([t,i.map(fr).join(", ")]);else if(i!==null&&typeof i=="object")for(let[n,s]of Object.entries(i))t===""&&C1.has(n)||dg(s,t?`${t}.${n}`:n,e);else e.push([t,i===!0?"yes":i===!1?"no":fr(i)]);return e}function pg(i){if(!i.summary)return null;let t=dg(i.summary,"",[]);if(t.length===0)return null;let e=t.slice(0,P1);return D("details",{class:"numbers"},D("summary",{},"All numbers of the run"),D("div",{class:"columns"},e.map(([n,s])=>D("div",{class:"pair"},D("span",{class:"name"},Ys(n)),D("span",{class:"value"},s)))),t.length>e.length&&D("p",{class:"quiet"},`${Se(t.length-e.length)} more are in the record.`))}function mg(i){let t=i.filter(r=>r.summary?.ledger),e=[...new Set(t.flatMap(r=>Object.keys(r.summary.ledger)))];if(e.length===0)return null;let n=cg(t[0],"energy"),s=t.map(r=>D("tr",{},i.length>1&&D("th",{scope:"row"},r.label),e.map(o=>D("td",{class:"number"},Se(r.summary.ledger[o],4)))));return D("div",{class:"table-wrap"},D("table",{class:"ledger"},D("caption",{},"Energy ledger at the end",n&&D("span",{class:"unit"},` ${n}`)),D("thead",{},D("tr",{},i.length>1&&D("th",{scope:"col"},"record"),e.map(r=>D("th",{scope:"col",class:"number"},Ys(r))))),D("tbody",{},s)))}var yf={good:"Every step meets its tolerance.",coarse:"The run ended, but not everything meets its tolerance.",failed:"The run failed.",stopped:"The run was stopped before its end.",unfinished:"The run has not ended."};function I1(i){let t=i.finished===!1&&!yf[i.verdict]?"unfinished":i.verdict,e=yf[t]?t:"unfinished";return D("p",{class:`verdict ${e}`},D("span",{class:"badge"},Di(e),D("span",{},t)),D("span",{class:"reason"},i.reason||yf[e]))}function L1(i,t){let e=t&&D("span",{class:"record-swatch"});if(e){let r=()=>{e.style.background=i.colour()};r(),Gn(r)}let n=({label:r,text:o,detail:a})=>D("div",{class:"figure"},D("dt",{},r),D("dd",{},o,a&&D("small",{},a))),s=D("dl",{class:"figures"},ug(i).map(n));return fg(i).then(r=>s.prepend(...r.map(n)),()=>{}),D("article",{class:"card"},t&&D("h2",{class:"card-title"},e,i.label),t&&D("p",{class:"kind"},[i.title!==i.label&&i.title,i.kind,i.method].filter(Boolean).join(" · ")),I1(i),s,pg(i))}function gg(i,t,e){let n=t[0],s=t.length>1,r=D("button",{type:"button",class:"tool",onclick:ja},Di("sun")),o=()=>{let c=Ge().dark?"Light colours":"Dark colours";r.setAttribute("aria-label",c),r.title=c};o(),Gn(o);let a=D("button",{type:"button",class:"tool","aria-label":"Keys and help",title:"Keys and help (?)",onclick:e},Di("help")),l=s?`${t.length} records with one clock`:[n.kind,n.method].filter(Boolean).join(" · ");return D("header",{class:"page-head"},D("div",{class:"title-row"},D("div",{},D("p",{class:"eyebrow"},l),D("h1",{},i.title||n.title||n.name)),D("div",{class:"page-tools"},r,a)),D("div",{class:s?"cards several":"cards"},t.map(c=>L1(c,s))))}function xg(i){return D("nav",{class:"contents","aria-label":"Contents"},D("ul",{},i.map(([t,e])=>D("li",{},D("a",{href:`#${t}`},e)))))}var _g=3;function vg(i,t,e){let n=Number.isFinite(i.t)&&D("button",{type:"button",class:"link",onclick:()=>e.seek(i.t)},`t = ${ci(i.t,t.time_unit)}`);return D("li",{},i.message," ",n)}function N1(i,t,e,n){let s=i[0],r=i.slice(_g);return D("article",{class:"warning"},Di("warning"),D("div",{},D("p",{class:"warning-title"},D("strong",{},s.code),i.length>1&&` · ${es(i.length,"time")}`,n&&` · ${t.label}`),D("ul",{},i.slice(0,_g).map(o=>vg(o,t,e))),r.length>0&&D("details",{},D("summary",{},`${Se(r.length)} more`),D("ul",{},r.map(o=>vg(o,t,e)))),s.cause&&D("p",{},D("b",{},"Cause. "),s.cause),s.cure&&D("p",{},D("b",{},"Cure. "),s.cure)))}function yg(i,t){let e=[];for(let n of i){let s=new Map;for(let r of n.warnings??[])s.set(r.code,[...s.get(r.code)??[],r]);for(let r of s.values())e.push(N1(r,n,t,i.length>1))}return e.length===0?null:D("section",{class:"warnings","aria-label":"Warnings"},e)}function Mg(i){let t=i.flatMap(e=>(e.notes??[]).map(n=>i.length>1?`${e.label}: ${n}`:n));return t.length===0?null:D("section",{class:"notes","aria-labelledby":"notes"},D("h2",{id:"notes"},"Notes"),D("ul",{},t.map(e=>D("li",{},e))))}function D1(i,t){let e=i.scene.replace(/\n$/,"").split(`
`),n=String(e.length).length;return D("details",{class:"scene"},D("summary",{},t?`Scene of ${i.label}`:"Scene as given",D("span",{class:"quiet"},` ${es(e.length,"line")}`)),D("pre",{tabindex:"0",style:`--digits: ${n}ch`},e.map(s=>D("code",{class:"line"},`${s}
`))))}function Sg(i){let t=i.filter(e=>e.scene);return t.length===0?null:D("section",{class:"scenes","aria-labelledby":"scene"},D("h2",{id:"scene"},t.length>1?"Scenes":"Scene"),t.map(e=>D1(e,i.length>1)))}var U1=new Set(["impact","percussion","jump","limit","zeno","fork"]),bg=(i,t)=>(i.events?.columns??[]).findIndex(e=>e.name===t);function uh(i){let t=bg(i,"t"),e=bg(i,"kind");return t<0?[]:i.events.rows.filter(n=>Number.isFinite(n[t])).map(n=>({t:n[t],kind:String(n[e]??""),strong:U1.has(n[e])})).sort((n,s)=>n.t-s.t)}function Mf(i){let t=uh(i),e=t.filter(n=>n.strong);return(e.length>0?e:t).map(n=>n.t)}var wg=16,F1=i=>i>=1?`${i}×`:`1/${Math.round(1/i)}×`;function fh(i,t,e){return D("button",{type:"button",class:"tool","aria-label":t,title:t,onclick:e},Di(i))}function Tg(i){return[...new Set(i.flatMap(t=>uh(t).map(e=>e.t)))].sort((t,e)=>t-e)}function Pa(i,t,e){let n=1e-12*(i.span[1]-i.span[0]),s=e>0?t.find(r=>r>i.t+n):[...t].reverse().find(r=>r<i.t-n);i.pause(),s!==void 0&&i.seek(s)}function O1(i,t){let e=D("canvas",{class:"markers","aria-hidden":"true"}),n=i.map(uh),s=()=>{let r=window.devicePixelRatio||1,o=e.clientWidth,a=e.clientHeight;if(o===0)return;e.width=Math.round(o*r),e.height=Math.round(a*r);let l=e.getContext("2d"),c=Ge(),h=e.height/n.length;n.forEach((u,f)=>{let d=new Set;for(let{t:g,strong:v}of[...u].sort((m,p)=>Number(m.strong)-Number(p.strong))){let m=wg/2+(g-t.span[0])/(t.span[1]-t.span[0])*(o-wg),p=Math.round(m*r);d.has(2*p+Number(v))||(d.add(2*p+Number(v)),l.fillStyle=v?n.length>1?i[f].colour():c.accent:c.muted,l.globalAlpha=v?.9:.45,l.fillRect(p-Math.floor(r/2),f*h+(v?0:h/2),Math.max(1,Math.round(r)),v?h:h/2))}})};return new ResizeObserver(s).observe(e),Gn(s),e}function Ag(i,t,e,n){let s=po(t.span),r=t.span[1]-t.span[0],o=fh("play","Play",()=>t.toggle());o.classList.add("play");let a=D("input",{type:"range",class:"scrub",min:0,max:1,step:"any",value:0,"aria-label":"Time"});a.addEventListener("input",()=>t.seek(t.span[0]+Number(a.value)*r));let l=D("output",{class:"time","aria-live":"off"}),c=D("span",{class:"time-end"},_i(` / ${s(t.span[1])}`,n)),h=D("select",{"aria-label":"Speed"},Qs.SPEEDS.map(v=>D("option",{value:v,selected:v===1},F1(v))));h.addEventListener("change",()=>t.setSpeed(Number(h.value)));let u=fh("loop","Loop",()=>t.setLoop(!t.loop));u.setAttribute("aria-pressed","false");let f=fh("previous","Previous event",()=>Pa(t,e,-1)),d=fh("next","Next event",()=>Pa(t,e,1));f.hidden=d.hidden=e.length===0;let g=(v,m)=>{if((m==="time"||!m)&&(l.textContent=s(t.t),a.value=(t.t-t.span[0])/r,a.style.setProperty("--done",a.value),a.setAttribute("aria-valuetext",_i(s(t.t),n))),m==="playing"){let p=t.playing?"Pause":"Play";o.replaceChildren(Di(t.playing?"pause":"play")),o.setAttribute("aria-label",p),o.title=p}m==="speed"&&(h.value=t.speed),m==="loop"&&u.setAttribute("aria-pressed",String(t.loop)),h.title=`${_i(Se(t.rate(),3),n)} per second`};return t.subscribe(g),g(t,""),D("div",{class:"transport",role:"group","aria-label":"Clock"},D("div",{class:"buttons"},f,o,d),D("div",{class:"scrubber"},e.length>0&&O1(i,t),a),D("div",{class:"read"},l,c),D("div",{class:"buttons"},h,u))}var B1=[["Space","play, pause"],["← →","step back, forward"],["Shift + ← →","previous, next event"],["Home, End","start, end"],["+ −","faster, slower"],["L","loop"],["D","light or dark colours"],["?","this help"]],k1=[["← → ↑ ↓","turn or move"],["+ − 0","nearer, farther, as at first"]],z1=[["drag","zoom into a time series or a phase plot"],["double-click","all of it again"],["Ctrl + wheel","zoom at the cursor"],["click","sets the clock to that time"]],Sf=(i,t)=>[D("h3",{},i),D("dl",{class:"keys"},t.map(([e,n])=>D("div",{},D("dt",{},D("kbd",{},e)),D("dd",{},n))))];function Eg(){let i=D("button",{type:"button",class:"plain",onclick:()=>t.close()},"Close"),t=D("dialog",{class:"help","aria-label":"Keys and help"},D("h2",{},"Keys"),Sf("Clock",B1),Sf("In a picture that has the focus",k1),Sf("Mouse",z1),i);return t.addEventListener("click",e=>{e.target===t&&t.close()}),{element:t,open:()=>{t.open||t.showModal()}}}function V1(i){let t=i.target instanceof Element?i.target:document.body;return i.defaultPrevented||i.ctrlKey||i.metaKey||i.altKey||t.closest("dialog[open], select, textarea")?!0:t.closest("input")&&!t.matches(".scrub")?!["?"].includes(i.key):!!(t.closest(".host")&&(i.key.startsWith("Arrow")||["+","-","=","0","Home","End","PageUp","PageDown"].includes(i.key))||i.key===" "&&t.closest("button, a, summary")||t.closest("pre, .table-wrap")&&/Arrow|Page|Home|End/.test(i.key))}function Rg(i,t,e){let n=r=>{i.pause(),i.seek(i.t+r*(i.span[1]-i.span[0]))},s={" ":()=>i.toggle(),ArrowRight:r=>r.shiftKey?Pa(i,t,1):n(.005),ArrowLeft:r=>r.shiftKey?Pa(i,t,-1):n(-.005),Home:()=>i.seek(i.span[0]),End:()=>{i.pause(),i.seek(i.span[1])},"+":()=>i.shiftSpeed(1),"=":()=>i.shiftSpeed(1),"-":()=>i.shiftSpeed(-1),l:()=>i.setLoop(!i.loop),d:e.theme,"?":e.help};document.addEventListener("keydown",r=>{let o=s[r.key.length===1?r.key.toLowerCase():r.key];!o||V1(r)||(r.preventDefault(),o(r))})}var Ia=100;function G1(i,t,e,n){let s=new Map;for(let r of i)s.set(r[t],(s.get(r[t])??0)+1);return s.size<2?null:D("div",{class:"filter",role:"group","aria-label":"Kinds of events"},[...s].map(([r,o])=>{let a=D("button",{type:"button",class:"chip-button","aria-pressed":"true"},fr(r),D("span",{class:"count"},Se(o)));return e.add(r),a.addEventListener("click",()=>{e.has(r)?e.delete(r):e.add(r),a.setAttribute("aria-pressed",String(e.has(r))),n()}),a}))}var H1=(i,t)=>typeof i=="number"&&typeof t=="number"?i-t:i===null||t===null?+(i===null)-+(t===null):String(i)<String(t)?-1:String(i)>String(t)?1:0;function W1(i,t,e){let n=Math.max(1,Math.ceil(t/Ia));if(i.page=Math.min(i.page,n-1),n===1)return[];let s=(r,o,a)=>D("button",{type:"button",class:"plain",disabled:a,onclick:()=>{i.page+=o,e()}},r);return[s("Earlier rows",-1,i.page===0),D("span",{},`${Se(i.page*Ia+1)}–${Se(Math.min(t,(i.page+1)*Ia))} of ${Se(t)}`),s("Further rows",1,i.page===n-1)]}function X1(i,t){let{columns:e,rows:n,total:s}=i.events,r=e.findIndex(y=>y.name==="kind"),o=e.findIndex(y=>y.name==="t"),a=e.map((y,M)=>M).filter(y=>n.some(M=>M[y]!==null&&M[y]!==void 0&&M[y]!=="")),l=new Set,c={page:0,sort:o,down:!1},h=D("tbody",{}),u=D("div",{class:"pager"}),f=a.map(y=>{let M=D("button",{type:"button",class:"sort"},Ys(e[y].name),e[y].unit&&D("span",{class:"unit"},` ${e[y].unit}`));return M.addEventListener("click",()=>{c.down=c.sort===y?!c.down:!1,c.sort=y,c.page=0,v()}),D("th",{scope:"col",class:n.some(R=>typeof R[y]=="number")&&"number"},M)}),d=[],g=y=>{let M=()=>t.seek(y[o]),R=a.map(A=>D("td",{class:typeof y[A]=="number"?"number":null},A===o?D("button",{type:"button",class:"link",onclick:M},fr(y[A])):fr(y[A])));return D("tr",{onclick:o>=0?M:null},R)},v=()=>{let y=n.filter(M=>l.size===0&&r<0?!0:r<0||!p||l.has(M[r]));c.sort>=0&&y.sort((M,R)=>(c.down?-1:1)*H1(M[c.sort],R[c.sort])),f.forEach((M,R)=>M.setAttribute("aria-sort",a[R]===c.sort?c.down?"descending":"ascending":"none")),u.replaceChildren(...W1(c,y.length,v)),d=y.slice(c.page*Ia,(c.page+1)*Ia).map(M=>({t:M[o],element:g(M)})),h.replaceChildren(...d.map(M=>M.element)),m()},m=()=>{let y=-1/0;for(let{t:M}of d)M<=t.t&&M>y&&(y=M);for(let{t:M,element:R}of d)R.classList.toggle("now",M===y)},p=r>=0?G1(n,r,l,()=>{c.page=0,v()}):null;v();let S=s>n.length&&D("p",{class:"quiet"},`${Se(n.length)} of ${Se(s)} events are in this page.`);return{element:D("div",{class:"events-of"},p,D("div",{class:"table-wrap tall",tabindex:"0"},D("table",{class:"events"},D("thead",{},D("tr",{},f)),h)),u,S),tick:m}}function Cg(i,t){let e=i.filter(r=>r.events?.rows?.length>0);if(e.length===0)return null;let n=e.map(r=>X1(r,t)),s=n.map((r,o)=>i.length>1?D("details",{open:o===0},D("summary",{},e[o].label,D("span",{class:"quiet"},` ${es(e[o].events.total,"event")}`)),r.element):r.element);return{element:D("section",{class:"event-section","aria-labelledby":"events"},D("h2",{id:"events"},"Events"),s),read:()=>n.forEach(r=>r.tick())}}var dh=class{constructor(t){this.full=t,this.low=t[0],this.high=t[1],this.listeners=new Set}subscribe(t){return this.listeners.add(t),()=>this.listeners.delete(t)}set(t,e){let n=this.full[1]-this.full[0],s=Math.min(n,Math.max(e-t,n*1e-9)),r=t;if(r<this.full[0]&&(r=this.full[0]),r+s>this.full[1]&&(r=this.full[1]-s),!(r===this.low&&r+s===this.high)){this.low=r,this.high=Math.min(this.full[1],r+s);for(let o of this.listeners)o(this)}}reset(){this.set(...this.full)}whole(){return this.low===this.full[0]&&this.high===this.full[1]}zoom(t,e=(this.low+this.high)/2){this.set(e-(e-this.low)*t,e+(this.high-e)*t)}pan(t){let e=t*(this.high-this.low);this.set(this.low+e,this.high+e)}},ph=class{constructor(){this.t=null,this.listeners=new Set}subscribe(t){return this.listeners.add(t),()=>this.listeners.delete(t)}set(t){if(t!==this.t){this.t=t;for(let e of this.listeners)e(t)}}};var q1="uplot",Y1="u-hz",$1="u-vt",Z1="u-title",J1="u-wrap",K1="u-under",j1="u-over",Q1="u-axis",mr="u-off",tw="u-select",ew="u-cursor-x",nw="u-cursor-y",iw="u-cursor-pt",sw="u-legend",rw="u-live",ow="u-inline",aw="u-series",lw="u-marker",Pg="u-label",cw="u-value",Na="width",Da="height";var Ig="bottom",mo="left",bf="right",zf="#000",Lg=zf+"0",wf="mousemove",Ng="mousedown",Tf="mouseup",Dg="mouseenter",Ug="mouseleave",Fg="dblclick",hw="resize",uw="scroll",Og="change",vh="dppxchange",Vf="--",So=typeof window<"u",Pf=So?document:null,xo=So?window:null,fw=So?navigator:null,be,mh;function If(){let i=devicePixelRatio;be!=i&&(be=i,mh&&Nf(Og,mh,If),mh=matchMedia(`(min-resolution: ${be-.001}dppx) and (max-resolution: ${be+.001}dppx)`),gr(Og,mh,If),xo.dispatchEvent(new CustomEvent(vh)))}function hi(i,t){if(t!=null){let e=i.classList;!e.contains(t)&&e.add(t)}}function Lf(i,t){let e=i.classList;e.contains(t)&&e.remove(t)}function We(i,t,e){i.style[t]=e+"px"}function Ui(i,t,e,n){let s=Pf.createElement(i);return t!=null&&hi(s,t),e?.insertBefore(s,n),s}function vi(i,t){return Ui("div",i,t)}var Bg=new WeakMap;function ns(i,t,e,n,s){let r="translate("+t+"px,"+e+"px)",o=Bg.get(i);r!=o&&(i.style.transform=r,Bg.set(i,r),t<0||e<0||t>n||e>s?hi(i,mr):Lf(i,mr))}var kg=new WeakMap;function zg(i,t,e){let n=t+e,s=kg.get(i);n!=s&&(kg.set(i,n),i.style.background=t,i.style.borderColor=e)}var Vg=new WeakMap;function Gg(i,t,e,n){let s=t+""+e,r=Vg.get(i);s!=r&&(Vg.set(i,s),i.style.height=e+"px",i.style.width=t+"px",i.style.marginLeft=n?-t/2+"px":0,i.style.marginTop=n?-e/2+"px":0)}var Gf={passive:!0},dw={...Gf,capture:!0};function gr(i,t,e,n){t.addEventListener(i,e,n?dw:Gf)}function Nf(i,t,e,n){t.removeEventListener(i,e,Gf)}So&&If();function Fi(i,t,e,n){let s;e=e||0,n=n||t.length-1;let r=n<=2147483647;for(;n-e>1;)s=r?e+n>>1:ui((e+n)/2),t[s]<i?e=s:n=s;return i-t[e]<=t[n]-i?e:n}function g0(i){return(e,n,s)=>{let r=-1,o=-1;for(let a=n;a<=s;a++)if(i(e[a])){r=a;break}for(let a=s;a>=n;a--)if(i(e[a])){o=a;break}return[r,o]}}var x0=i=>i!=null,_0=i=>i!=null&&i>0,Sh=g0(x0),pw=g0(_0);function mw(i,t,e,n=0,s=!1){let r=s?pw:Sh,o=s?_0:x0;[t,e]=r(i,t,e);let a=i[t],l=i[t];if(t>-1)if(n==1)a=i[t],l=i[e];else if(n==-1)a=i[e],l=i[t];else for(let c=t;c<=e;c++){let h=i[c];o(h)&&(h<a?a=h:h>l&&(l=h))}return[a??Ue,l??-Ue]}function bh(i,t,e,n){let s=Xg(i),r=Xg(t);i==t&&(s==-1?(i*=e,t/=e):(i/=e,t*=e));let o=e==10?bs:v0,a=s==1?ui:yi,l=r==1?yi:ui,c=a(o(_n(i))),h=l(o(_n(t))),u=_o(e,c),f=_o(e,h);return e==10&&(c<0&&(u=Fe(u,-c)),h<0&&(f=Fe(f,-h))),n||e==2?(i=u*s,t=f*r):(i=b0(i,u),t=wh(t,f)),[i,t]}function Hf(i,t,e,n){let s=bh(i,t,e,n);return i==0&&(s[0]=0),t==0&&(s[1]=0),s}var Wf=.1,Hg={mode:3,pad:Wf},Fa={pad:0,soft:null,mode:0},gw={min:Fa,max:Fa};function yh(i,t,e,n){return Th(e)?Wg(i,t,e):(Fa.pad=e,Fa.soft=n?0:null,Fa.mode=n?3:0,Wg(i,t,gw))}function ye(i,t){return i??t}function xw(i,t,e){for(t=ye(t,0),e=ye(e,i.length-1);t<=e;){if(i[t]!=null)return!0;t++}return!1}function Wg(i,t,e){let n=e.min,s=e.max,r=ye(n.pad,0),o=ye(s.pad,0),a=ye(n.hard,-Ue),l=ye(s.hard,Ue),c=ye(n.soft,Ue),h=ye(s.soft,-Ue),u=ye(n.mode,0),f=ye(s.mode,0),d=t-i,g=bs(d),v=Zn(_n(i),_n(t)),m=bs(v),p=_n(m-g);(d<1e-24||p>10)&&(d=0,(i==0||t==0)&&(d=1e-24,u==2&&c!=Ue&&(r=0),f==2&&h!=-Ue&&(o=0)));let S=d||v||1e3,y=bs(S),M=_o(10,ui(y)),R=S*(d==0?i==0?.1:1:r),A=Fe(b0(i-R,M/10),24),x=i>=c&&(u==1||u==3&&A<=c||u==2&&A>=c)?c:Ue,E=Zn(a,A<x&&i>=x?x:Oi(x,A)),z=S*(d==0?t==0?.1:1:o),U=Fe(wh(t+z,M/10),24),L=t<=h&&(f==1||f==3&&U>=h||f==2&&U<=h)?h:-Ue,H=Oi(l,U>L&&t<=L?L:Zn(L,U));return E==H&&E==0&&(H=100),[E,H]}var _w=new Intl.NumberFormat(So?fw.language:"en-US"),Xf=i=>_w.format(i),fi=Math,_h=fi.PI,_n=fi.abs,ui=fi.floor,xn=fi.round,yi=fi.ceil,Oi=fi.min,Zn=fi.max,_o=fi.pow,Xg=fi.sign,bs=fi.log10,v0=fi.log2,vw=(i,t=1)=>fi.sinh(i)*t,Af=(i,t=1)=>fi.asinh(i/t),Ue=1/0;function qg(i){return(bs((i^i>>31)-(i>>31))|0)+1}function Df(i,t,e){return Oi(Zn(i,t),e)}function y0(i){return typeof i=="function"}function ge(i){return y0(i)?i:()=>i}var yw=()=>{},M0=i=>i,S0=(i,t)=>t,Mw=i=>null,Yg=i=>!0,$g=(i,t)=>i==t,Sw=/\.\d*?(?=9{6,}|0{6,})/gm,xr=i=>{if(T0(i)||Zs.has(i))return i;let t=`${i}`,e=t.match(Sw);if(e==null)return i;let n=e[0].length-1;if(t.indexOf("e-")!=-1){let[s,r]=t.split("e");return+`${xr(s)}e${r}`}return Fe(i,n)};function dr(i,t){return xr(Fe(xr(i/t))*t)}function wh(i,t){return xr(yi(xr(i/t))*t)}function b0(i,t){return xr(ui(xr(i/t))*t)}function Fe(i,t=0){if(T0(i))return i;let e=10**t,n=i*e*(1+Number.EPSILON);return xn(n)/e}var Zs=new Map;function w0(i){return((""+i).split(".")[1]||"").length}function Ba(i,t,e,n){let s=[],r=n.map(w0);for(let o=t;o<e;o++){let a=_n(o),l=Fe(_o(i,o),a);for(let c=0;c<n.length;c++){let h=i==10?+`${n[c]}e${o}`:n[c]*l,u=(o>=0?0:a)+(o>=r[c]?0:r[c]),f=i==10?h:Fe(h,u);s.push(f),Zs.set(f,u)}}return s}var Oa={},qf=[],vo=[null,null],$s=Array.isArray,T0=Number.isInteger,bw=i=>i===void 0;function Zg(i){return typeof i=="string"}function Th(i){let t=!1;if(i!=null){let e=i.constructor;t=e==null||e==Object}return t}function ww(i){return i!=null&&typeof i=="object"}var Tw=Object.getPrototypeOf(Uint8Array),A0="__proto__";function yo(i,t=Th){let e;if($s(i)){let n=i.find(s=>s!=null);if($s(n)||t(n)){e=Array(i.length);for(let s=0;s<i.length;s++)e[s]=yo(i[s],t)}else e=i.slice()}else if(i instanceof Tw)e=i.slice();else if(t(i)){e={};for(let n in i)n!=A0&&(e[n]=yo(i[n],t))}else e=i;return e}function hn(i){let t=arguments;for(let e=1;e<t.length;e++){let n=t[e];for(let s in n)s!=A0&&(Th(i[s])?hn(i[s],yo(n[s])):i[s]=yo(n[s]))}return i}var Aw=0,Ew=1,Rw=2;function Cw(i,t,e){for(let n=0,s,r=-1;n<t.length;n++){let o=t[n];if(o>r){for(s=o-1;s>=0&&i[s]==null;)i[s--]=null;for(s=o+1;s<e&&i[s]==null;)i[r=s++]=null}}}function Pw(i,t){if(Nw(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return Dw(o[0])||(o=Lw(o)),o}let e=new Set;for(let o=0;o<i.length;o++){let l=i[o][0],c=l.length;for(let h=0;h<c;h++)e.add(l[h])}let n=[Array.from(e).sort((o,a)=>o-a)],s=n[0].length,r=new Map;for(let o=0;o<s;o++)r.set(n[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],l=a[0];for(let c=1;c<a.length;c++){let h=a[c],u=Array(s).fill(void 0),f=t?t[o][c]:Ew,d=[];for(let g=0;g<h.length;g++){let v=h[g],m=r.get(l[g]);v===null?f!=Aw&&(u[m]=v,f==Rw&&d.push(m)):u[m]=v}Cw(u,d,s),n.push(u)}}return n}var Iw=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function Lw(i){let t=i[0],e=t.length,n=Array(e);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,o)=>t[r]-t[o]);let s=[];for(let r=0;r<i.length;r++){let o=i[r],a=Array(e);for(let l=0;l<e;l++)a[l]=o[n[l]];s.push(a)}return s}function Nw(i){let t=i[0][0],e=t.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=e)return!1;if(s!=t){for(let r=0;r<e;r++)if(s[r]!=t[r])return!1}}return!0}function Dw(i,t=100){let e=i.length;if(e<=1)return!0;let n=0,s=e-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;let r=Zn(1,ui((s-n+1)/t));for(let o=i[n],a=n+r;a<=s;a+=r){let l=i[a];if(l!=null){if(l<=o)return!1;o=l}}return!0}var E0=["January","February","March","April","May","June","July","August","September","October","November","December"],R0=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function C0(i){return i.slice(0,3)}var Uw=R0.map(C0),Fw=E0.map(C0),Ow={MMMM:E0,MMM:Fw,WWWW:R0,WWW:Uw};function La(i){return(i<10?"0":"")+i}function Bw(i){return(i<10?"00":i<100?"0":"")+i}var kw={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,t)=>t.MMMM[i.getMonth()],MMM:(i,t)=>t.MMM[i.getMonth()],MM:i=>La(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>La(i.getDate()),D:i=>i.getDate(),WWWW:(i,t)=>t.WWWW[i.getDay()],WWW:(i,t)=>t.WWW[i.getDay()],HH:i=>La(i.getHours()),H:i=>i.getHours(),h:i=>{let t=i.getHours();return t==0?12:t>12?t-12:t},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>La(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>La(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>Bw(i.getMilliseconds())};function Yf(i,t){t=t||Ow;let e=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)e.push(s[0][0]=="{"?kw[s[1]]:s[0]);return r=>{let o="";for(let a=0;a<e.length;a++)o+=typeof e[a]=="string"?e[a]:e[a](r,t);return o}}var zw=new Intl.DateTimeFormat().resolvedOptions().timeZone;function Vw(i,t){let e;return t=="UTC"||t=="Etc/UTC"?e=new Date(+i+i.getTimezoneOffset()*6e4):t==zw?e=i:(e=new Date(i.toLocaleString("en-US",{timeZone:t})),e.setMilliseconds(i.getMilliseconds())),e}var P0=i=>i%1==0,Mh=[1,2,2.5,5],Gw=Ba(10,-32,0,Mh),I0=Ba(10,0,32,Mh),Hw=I0.filter(P0),pr=Gw.concat(I0),$f=`
`,L0="{YYYY}",Jg=$f+L0,N0="{M}/{D}",Ua=$f+N0,gh=Ua+"/{YY}",D0="{aa}",Ww="{h}:{mm}",go=Ww+D0,Kg=$f+go,jg=":{ss}",Te=null;function U0(i){let t=i*1e3,e=t*60,n=e*60,s=n*24,r=s*30,o=s*365,l=(i==1?Ba(10,0,3,Mh).filter(P0):Ba(10,-3,0,Mh)).concat([t,t*5,t*10,t*15,t*30,e,e*5,e*10,e*15,e*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),c=[[o,L0,Te,Te,Te,Te,Te,Te,1],[s*28,"{MMM}",Jg,Te,Te,Te,Te,Te,1],[s,N0,Jg,Te,Te,Te,Te,Te,1],[n,"{h}"+D0,gh,Te,Ua,Te,Te,Te,1],[e,go,gh,Te,Ua,Te,Te,Te,1],[t,jg,gh+" "+go,Te,Ua+" "+go,Te,Kg,Te,1],[i,jg+".{fff}",gh+" "+go,Te,Ua+" "+go,Te,Kg,Te,1]];function h(u){return(f,d,g,v,m,p)=>{let S=[],y=m>=o,M=m>=r&&m<o,R=u(g),A=Fe(R*i,3),x=Ef(R.getFullYear(),y?0:R.getMonth(),M||y?1:R.getDate()),E=Fe(x*i,3);if(M||y){let z=M?m/r:0,U=y?m/o:0,L=A==E?A:Fe(Ef(x.getFullYear()+U,x.getMonth()+z,1)*i,3),H=new Date(xn(L/i)),W=H.getFullYear(),N=H.getMonth();for(let G=0;L<=v;G++){let J=Ef(W+U*G,N+z*G,1),V=J-u(Fe(J*i,3));L=Fe((+J+V)*i,3),L<=v&&S.push(L)}}else{let z=m>=s?s:m,U=ui(g)-ui(A),L=E+U+wh(A-E,z);S.push(L);let H=u(L),W=H.getHours()+H.getMinutes()/e+H.getSeconds()/n,N=m/n,G=f.axes[d]._space,J=p/G;for(;L=Fe(L+m,i==1?0:3),!(L>v);)if(N>1){let V=ui(Fe(W+N,6))%24,Q=u(L).getHours()-V;Q>1&&(Q=-1),L-=Q*n,W=(W+N)%24;let st=S[S.length-1];Fe((L-st)/m,3)*J>=.7&&S.push(L)}else S.push(L)}return S}}return[l,c,h]}var[Xw,qw,Yw]=U0(1),[$w,Zw,Jw]=U0(.001);Ba(2,-53,53,[1]);function Qg(i,t){return i.map(e=>e.map((n,s)=>s==0||s==8||n==null?n:t(s==1||e[8]==0?n:e[1]+n)))}function t0(i,t){return(e,n,s,r,o)=>{let a=t.find(g=>o>=g[0])||t[t.length-1],l,c,h,u,f,d;return n.map(g=>{let v=i(g),m=v.getFullYear(),p=v.getMonth(),S=v.getDate(),y=v.getHours(),M=v.getMinutes(),R=v.getSeconds(),A=m!=l&&a[2]||p!=c&&a[3]||S!=h&&a[4]||y!=u&&a[5]||M!=f&&a[6]||R!=d&&a[7]||a[1];return l=m,c=p,h=S,u=y,f=M,d=R,A(v)})}}function Kw(i,t){let e=Yf(t);return(n,s,r,o,a)=>s.map(l=>e(i(l)))}function Ef(i,t,e){return new Date(i,t,e)}function e0(i,t){return t(i)}var jw="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function n0(i,t){return(e,n,s,r)=>r==null?Vf:t(i(n))}function Qw(i,t){let e=i.series[t];return e.width?e.stroke(i,t):e.points.width?e.points.stroke(i,t):null}function tT(i,t){return i.series[t].fill(i,t)}var eT={show:!0,live:!0,isolate:!1,mount:yw,markers:{show:!0,width:2,stroke:Qw,fill:tT,dash:"solid"},idx:null,idxs:null,values:[]};function nT(i,t){let e=i.cursor.points,n=vi(),s=e.size(i,t);We(n,Na,s),We(n,Da,s);let r=s/-2;We(n,"marginLeft",r),We(n,"marginTop",r);let o=e.width(i,t,s);return o&&We(n,"borderWidth",o),n}function iT(i,t){let e=i.series[t].points;return e._fill||e._stroke}function sT(i,t){let e=i.series[t].points;return e._stroke||e._fill}function rT(i,t){return i.series[t].points.size}var Rf=[0,0];function oT(i,t,e){return Rf[0]=t,Rf[1]=e,Rf}function xh(i,t,e,n=!0){return s=>{s.button==0&&(!n||s.target==t)&&e(s)}}function Cf(i,t,e,n=!0){return s=>{(!n||s.target==t)&&e(s)}}var aT={show:!0,x:!0,y:!0,lock:!1,move:oT,points:{one:!1,show:nT,size:rT,width:0,stroke:sT,fill:iT},bind:{mousedown:xh,mouseup:xh,click:xh,dblclick:xh,mousemove:Cf,mouseleave:Cf,mouseenter:Cf},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,t,e,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},F0={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Zf=hn({},F0,{filter:S0}),O0=hn({},Zf,{size:10}),B0=hn({},F0,{show:!1}),Jf='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',k0="bold "+Jf,z0=1.5,i0={show:!0,scale:"x",stroke:zf,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:k0,side:2,grid:Zf,ticks:O0,border:B0,font:Jf,lineGap:z0,rotate:0},lT="Value",cT="Time",s0={show:!0,scale:"x",auto:!1,sorted:1,min:Ue,max:-Ue,idxs:[]};function hT(i,t,e,n,s){return t.map(r=>r==null?"":Xf(r))}function uT(i,t,e,n,s,r,o){let a=[],l=Zs.get(s)||0;e=o?e:Fe(wh(e,s),l);for(let c=e;c<=n;c=Fe(c+s,l))a.push(Object.is(c,-0)?0:c);return a}function Uf(i,t,e,n,s,r,o){let a=[],l=i.scales[i.axes[t].scale].log,c=l==10?bs:v0,h=ui(c(e));s=_o(l,h),l==10&&(s=pr[Fi(s,pr)]);let u=e,f=s*l;l==10&&(f=pr[Fi(f,pr)]);do a.push(u),u=u+s,l==10&&!Zs.has(u)&&(u=Fe(u,Zs.get(s))),u>=f&&(s=u,f=s*l,l==10&&(f=pr[Fi(f,pr)]));while(u<=n);return a}function fT(i,t,e,n,s,r,o){let l=i.scales[i.axes[t].scale].asinh,c=n>l?Uf(i,t,Zn(l,e),n,s):[l],h=n>=0&&e<=0?[0]:[];return(e<-l?Uf(i,t,Zn(l,-n),-e,s):[l]).reverse().map(f=>-f).concat(h,c)}var V0=/./,dT=/[12357]/,pT=/[125]/,r0=/1/,Ff=(i,t,e,n)=>i.map((s,r)=>t==4&&s==0||r%n==0&&e.test(s.toExponential()[s<0?1:0])?s:null);function mT(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=i.scales[o],l=i.valToPos,c=r._space,h=l(10,o),u=l(9,o)-h>=c?V0:l(7,o)-h>=c?dT:l(5,o)-h>=c?pT:r0;if(u==r0){let f=_n(l(1,o)-h);if(f<c)return Ff(t.slice().reverse(),a.distr,u,yi(c/f)).reverse()}return Ff(t,a.distr,u,1)}function gT(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=r._space,l=i.valToPos,c=_n(l(1,o)-l(2,o));return c<a?Ff(t.slice().reverse(),3,V0,yi(a/c)).reverse():t}function xT(i,t,e,n){return n==null?Vf:t==null?"":Xf(t)}var o0={show:!0,scale:"y",stroke:zf,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:k0,side:3,grid:Zf,ticks:O0,border:B0,font:Jf,lineGap:z0,rotate:0};function _T(i,t){let e=3+(i||1)*2;return Fe(e*t,3)}function vT(i,t){let{scale:e,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],e,!0),o=i.valToPos(s[n[1]],e,!0),a=_n(o-r),l=i.series[t],c=a/(l.points.space*be);return n[1]-n[0]<=c}var a0={scale:null,auto:!0,sorted:0,min:Ue,max:-Ue},G0=(i,t,e,n,s)=>s,l0={show:!0,auto:!0,sorted:0,gaps:G0,alpha:1,facets:[hn({},a0,{scale:"x"}),hn({},a0,{scale:"y"})]},c0={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:G0,alpha:1,points:{show:vT,filter:null},values:null,min:Ue,max:-Ue,idxs:[],path:null,clip:null};function yT(i,t,e,n,s){return e/10}var H0={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},MT=hn({},H0,{time:!1,ori:1}),h0={};function W0(i,t){let e=h0[i];return e||(e={key:i,plots:[],sub(n){e.plots.push(n)},unsub(n){e.plots=e.plots.filter(s=>s!=n)},pub(n,s,r,o,a,l,c){for(let h=0;h<e.plots.length;h++)e.plots[h]!=s&&e.plots[h].pub(n,s,r,o,a,l,c)}},i!=null&&(h0[i]=e)),e}var Mo=1,Of=2;function _r(i,t,e){let n=i.mode,s=i.series[t],r=n==2?i._data[t]:i._data,o=i.scales,a=i.bbox,l=r[0],c=n==2?r[1]:r[t],h=n==2?o[s.facets[0].scale]:o[i.series[0].scale],u=n==2?o[s.facets[1].scale]:o[s.scale],f=a.left,d=a.top,g=a.width,v=a.height,m=i.valToPosH,p=i.valToPosV;return h.ori==0?e(s,l,c,h,u,m,p,f,d,g,v,Eh,bo,Ch,q0,$0):e(s,l,c,h,u,p,m,d,f,v,g,Rh,wo,Qf,Y0,Z0)}function Kf(i,t){let e=0,n=0,s=ye(i.bands,qf);for(let r=0;r<s.length;r++){let o=s[r];o.series[0]==t?e=o.dir:o.series[1]==t&&(o.dir==1?n|=1:n|=2)}return[e,n==1?-1:n==2?1:n==3?2:0]}function ST(i,t,e,n,s){let r=i.mode,o=i.series[t],a=r==2?o.facets[1].scale:o.scale,l=i.scales[a];return s==-1?l.min:s==1?l.max:l.distr==3?l.dir==1?l.min:l.max:0}function ws(i,t,e,n,s,r){return _r(i,t,(o,a,l,c,h,u,f,d,g,v,m)=>{let p=o.pxRound,S=c.dir*(c.ori==0?1:-1),y=c.ori==0?bo:wo,M,R;S==1?(M=e,R=n):(M=n,R=e);let A=p(u(a[M],c,v,d)),x=p(f(l[M],h,m,g)),E=p(u(a[R],c,v,d)),z=p(f(r==1?h.max:h.min,h,m,g)),U=new Path2D(s);return y(U,E,z),y(U,A,z),y(U,A,x),U})}function Ah(i,t,e,n,s,r){let o=null;if(i.length>0){o=new Path2D;let a=t==0?Ch:Qf,l=e;for(let u=0;u<i.length;u++){let f=i[u];if(f[1]>f[0]){let d=f[0]-l;d>0&&a(o,l,n,d,n+r),l=f[1]}}let c=e+s-l,h=10;c>0&&a(o,l,n-h/2,c,n+r+h)}return o}function bT(i,t,e){let n=i[i.length-1];n&&n[0]==t?n[1]=e:i.push([t,e])}function jf(i,t,e,n,s,r,o){let a=[],l=i.length;for(let c=s==1?e:n;c>=e&&c<=n;c+=s)if(t[c]===null){let u=c,f=c;if(s==1)for(;++c<=n&&t[c]===null;)f=c;else for(;--c>=e&&t[c]===null;)f=c;let d=r(i[u]),g=f==u?d:r(i[f]),v=u-s;d=o<=0&&v>=0&&v<l?r(i[v]):d;let p=f+s;g=o>=0&&p>=0&&p<l?r(i[p]):g,g>=d&&a.push([d,g])}return a}function u0(i){return i==0?M0:i==1?xn:t=>dr(t,i)}function X0(i){let t=i==0?Eh:Rh,e=i==0?(s,r,o,a,l,c)=>{s.arcTo(r,o,a,l,c)}:(s,r,o,a,l,c)=>{s.arcTo(o,r,l,a,c)},n=i==0?(s,r,o,a,l)=>{s.rect(r,o,a,l)}:(s,r,o,a,l)=>{s.rect(o,r,l,a)};return(s,r,o,a,l,c=0,h=0)=>{c==0&&h==0?n(s,r,o,a,l):(c=Oi(c,a/2,l/2),h=Oi(h,a/2,l/2),t(s,r+c,o),e(s,r+a,o,r+a,o+l,c),e(s,r+a,o+l,r,o+l,h),e(s,r,o+l,r,o,h),e(s,r,o,r+a,o,c),s.closePath())}}var Eh=(i,t,e)=>{i.moveTo(t,e)},Rh=(i,t,e)=>{i.moveTo(e,t)},bo=(i,t,e)=>{i.lineTo(t,e)},wo=(i,t,e)=>{i.lineTo(e,t)},Ch=X0(0),Qf=X0(1),q0=(i,t,e,n,s,r)=>{i.arc(t,e,n,s,r)},Y0=(i,t,e,n,s,r)=>{i.arc(e,t,n,s,r)},$0=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(t,e,n,s,r,o)},Z0=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(e,t,s,n,o,r)};function J0(i){return(t,e,n,s,r)=>_r(t,e,(o,a,l,c,h,u,f,d,g,v,m)=>{let{pxRound:p,points:S}=o,y,M;c.ori==0?(y=Eh,M=q0):(y=Rh,M=Y0);let R=Fe(S.width*be,3),A=(S.size-S.width)/2*be,x=Fe(A*2,3),E=new Path2D,z=new Path2D,{left:U,top:L,width:H,height:W}=t.bbox;Ch(z,U-x,L-x,H+x*2,W+x*2);let N=G=>{if(l[G]!=null){let J=p(u(a[G],c,v,d)),V=p(f(l[G],h,m,g));y(E,J+A,V),M(E,J,V,A,0,_h*2)}};if(r)r.forEach(N);else for(let G=n;G<=s;G++)N(G);return{stroke:R>0?E:null,fill:E,clip:z,flags:Mo|Of}})}function K0(i){return(t,e,n,s,r,o)=>{n!=s&&(r!=n&&o!=n&&i(t,e,n),r!=s&&o!=s&&i(t,e,s),i(t,e,o))}}var wT=K0(bo),TT=K0(wo);function j0(i){let t=ye(i?.alignGaps,0);return(e,n,s,r)=>_r(e,n,(o,a,l,c,h,u,f,d,g,v,m)=>{[s,r]=Sh(l,s,r);let p=o.pxRound,S=W=>p(u(W,c,v,d)),y=W=>p(f(W,h,m,g)),M,R;c.ori==0?(M=bo,R=wT):(M=wo,R=TT);let A=c.dir*(c.ori==0?1:-1),x={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Mo},E=x.stroke,z=!1;if(r-s>=v*4){let W=ut=>e.posToVal(ut,c.key,!0),N=null,G=null,J,V,ct,K=S(a[A==1?s:r]),Q=S(a[s]),st=S(a[r]),ft=W(A==1?Q+1:st-1);for(let ut=A==1?s:r;ut>=s&&ut<=r;ut+=A){let tt=a[ut],_t=(A==1?tt<ft:tt>ft)?K:S(tt),Et=l[ut];_t==K?Et!=null?(V=Et,N==null?(M(E,_t,y(V)),J=N=G=V):V<N?N=V:V>G&&(G=V)):Et===null&&(z=!0):(N!=null&&R(E,K,y(N),y(G),y(J),y(V)),Et!=null?(V=Et,M(E,_t,y(V)),N=G=J=V):(N=G=null,Et===null&&(z=!0)),K=_t,ft=W(K+A))}N!=null&&N!=G&&ct!=K&&R(E,K,y(N),y(G),y(J),y(V))}else for(let W=A==1?s:r;W>=s&&W<=r;W+=A){let N=l[W];N===null?z=!0:N!=null&&M(E,S(a[W]),y(N))}let[L,H]=Kf(e,n);if(o.fill!=null||L!=0){let W=x.fill=new Path2D(E),N=o.fillTo(e,n,o.min,o.max,L),G=y(N),J=S(a[s]),V=S(a[r]);A==-1&&([V,J]=[J,V]),M(W,V,G),M(W,J,G)}if(!o.spanGaps){let W=[];z&&W.push(...jf(a,l,s,r,A,S,t)),x.gaps=W=o.gaps(e,n,s,r,W),x.clip=Ah(W,c.ori,d,g,v,m)}return H!=0&&(x.band=H==2?[ws(e,n,s,r,E,-1),ws(e,n,s,r,E,1)]:ws(e,n,s,r,E,H)),x})}function AT(i){let t=ye(i.align,1),e=ye(i.ascDesc,!1),n=ye(i.alignGaps,0),s=ye(i.extend,!1);return(r,o,a,l)=>_r(r,o,(c,h,u,f,d,g,v,m,p,S,y)=>{[a,l]=Sh(u,a,l);let M=c.pxRound,{left:R,width:A}=r.bbox,x=Q=>M(g(Q,f,S,m)),E=Q=>M(v(Q,d,y,p)),z=f.ori==0?bo:wo,U={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Mo},L=U.stroke,H=f.dir*(f.ori==0?1:-1),W=E(u[H==1?a:l]),N=x(h[H==1?a:l]),G=N,J=N;s&&t==-1&&(J=R,z(L,J,W)),z(L,N,W);for(let Q=H==1?a:l;Q>=a&&Q<=l;Q+=H){let st=u[Q];if(st==null)continue;let ft=x(h[Q]),ut=E(st);t==1?z(L,ft,W):z(L,G,ut),z(L,ft,ut),W=ut,G=ft}let V=G;s&&t==1&&(V=R+A,z(L,V,W));let[ct,K]=Kf(r,o);if(c.fill!=null||ct!=0){let Q=U.fill=new Path2D(L),st=c.fillTo(r,o,c.min,c.max,ct),ft=E(st);z(Q,V,ft),z(Q,J,ft)}if(!c.spanGaps){let Q=[];Q.push(...jf(h,u,a,l,H,x,n));let st=c.width*be/2,ft=e||t==1?st:-st,ut=e||t==-1?-st:st;Q.forEach(tt=>{tt[0]+=ft,tt[1]+=ut}),U.gaps=Q=c.gaps(r,o,a,l,Q),U.clip=Ah(Q,f.ori,m,p,S,y)}return K!=0&&(U.band=K==2?[ws(r,o,a,l,L,-1),ws(r,o,a,l,L,1)]:ws(r,o,a,l,L,K)),U})}function f0(i,t,e,n,s,r,o=Ue){if(i.length>1){let a=null;for(let l=0,c=1/0;l<i.length;l++)if(t[l]!==void 0){if(a!=null){let h=_n(i[l]-i[a]);h<c&&(c=h,o=_n(e(i[l],n,s,r)-e(i[a],n,s,r)))}a=l}}return o}function ET(i){i=i||Oa;let t=ye(i.size,[.6,Ue,1]),e=i.align||0,n=i.gap||0,s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let r=ge(s),o=1-t[0],a=ye(t[1],Ue),l=ye(t[2],1),c=ye(i.disp,Oa),h=ye(i.each,d=>{}),{fill:u,stroke:f}=c;return(d,g,v,m)=>_r(d,g,(p,S,y,M,R,A,x,E,z,U,L)=>{let H=p.pxRound,W=e,N=n*be,G=a*be,J=l*be,V,ct;M.ori==0?[V,ct]=r(d,g):[ct,V]=r(d,g);let K=M.dir*(M.ori==0?1:-1),Q=M.ori==0?Ch:Qf,st=M.ori==0?h:(Ct,qt,ie,bt,Le,zt,Xt)=>{h(Ct,qt,ie,Le,bt,Xt,zt)},ft=ye(d.bands,qf).find(Ct=>Ct.series[0]==g),ut=ft!=null?ft.dir:0,tt=p.fillTo(d,g,p.min,p.max,ut),mt=H(x(tt,R,L,z)),_t,Et,St,Ht=U,ne=H(p.width*be),Vt=!1,le=null,re=null,te=null,Xe=null;u!=null&&(ne==0||f!=null)&&(Vt=!0,le=u.values(d,g,v,m),re=new Map,new Set(le).forEach(Ct=>{Ct!=null&&re.set(Ct,new Path2D)}),ne>0&&(te=f.values(d,g,v,m),Xe=new Map,new Set(te).forEach(Ct=>{Ct!=null&&Xe.set(Ct,new Path2D)})));let{x0:Oe,size:en}=c;if(Oe!=null&&en!=null){W=1,S=Oe.values(d,g,v,m),Oe.unit==2&&(S=S.map(ie=>d.posToVal(E+ie*U,M.key,!0)));let Ct=en.values(d,g,v,m);en.unit==2?Et=Ct[0]*U:Et=A(Ct[0],M,U,E)-A(0,M,U,E),Ht=f0(S,y,A,M,U,E,Ht),St=Ht-Et+N}else Ht=f0(S,y,A,M,U,E,Ht),St=Ht*o+N,Et=Ht-St;St<1&&(St=0),ne>=Et/2&&(ne=0),St<5&&(H=M0);let Ce=St>0,vn=Ht-St-(Ce?ne:0);Et=H(Df(vn,J,G)),_t=(W==0?Et/2:W==K?0:Et)-W*K*((W==0?N/2:0)+(Ce?ne/2:0));let _e={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},un=Vt?null:new Path2D,$e=null;if(ft!=null)$e=d.data[ft.series[1]];else{let{y0:Ct,y1:qt}=c;Ct!=null&&qt!=null&&(y=qt.values(d,g,v,m),$e=Ct.values(d,g,v,m))}let nn=V*Et,O=ct*Et;for(let Ct=K==1?v:m;Ct>=v&&Ct<=m;Ct+=K){let qt=y[Ct];if(qt==null)continue;if($e!=null){let X=$e[Ct]??0;if(qt-X==0)continue;mt=x(X,R,L,z)}let ie=M.distr!=2||c!=null?S[Ct]:Ct,bt=A(ie,M,U,E),Le=x(ye(qt,tt),R,L,z),zt=H(bt-_t),Xt=H(Zn(Le,mt)),C=H(Oi(Le,mt)),b=Xt-C;if(qt!=null){let X=qt<0?O:nn,ht=qt<0?nn:O;Vt?(ne>0&&te[Ct]!=null&&Q(Xe.get(te[Ct]),zt,C+ui(ne/2),Et,Zn(0,b-ne),X,ht),le[Ct]!=null&&Q(re.get(le[Ct]),zt,C+ui(ne/2),Et,Zn(0,b-ne),X,ht)):Q(un,zt,C+ui(ne/2),Et,Zn(0,b-ne),X,ht),st(d,g,Ct,zt-ne/2,C,Et+ne,b)}}return ne>0?_e.stroke=Vt?Xe:un:Vt||(_e._fill=p.width==0?p._fill:p._stroke??p._fill,_e.width=0),_e.fill=Vt?re:un,_e})}function RT(i,t){let e=ye(t?.alignGaps,0);return(n,s,r,o)=>_r(n,s,(a,l,c,h,u,f,d,g,v,m,p)=>{[r,o]=Sh(c,r,o);let S=a.pxRound,y=V=>S(f(V,h,m,g)),M=V=>S(d(V,u,p,v)),R,A,x;h.ori==0?(R=Eh,x=bo,A=$0):(R=Rh,x=wo,A=Z0);let E=h.dir*(h.ori==0?1:-1),z=y(l[E==1?r:o]),U=z,L=[],H=[];for(let V=E==1?r:o;V>=r&&V<=o;V+=E)if(c[V]!=null){let K=l[V],Q=y(K);L.push(U=Q),H.push(M(c[V]))}let W={stroke:i(L,H,R,x,A,S),fill:null,clip:null,band:null,gaps:null,flags:Mo},N=W.stroke,[G,J]=Kf(n,s);if(a.fill!=null||G!=0){let V=W.fill=new Path2D(N),ct=a.fillTo(n,s,a.min,a.max,G),K=M(ct);x(V,U,K),x(V,z,K)}if(!a.spanGaps){let V=[];V.push(...jf(l,c,r,o,E,y,e)),W.gaps=V=a.gaps(n,s,r,o,V),W.clip=Ah(V,h.ori,g,v,m,p)}return J!=0&&(W.band=J==2?[ws(n,s,r,o,N,-1),ws(n,s,r,o,N,1)]:ws(n,s,r,o,N,J)),W})}function CT(i){return RT(PT,i)}function PT(i,t,e,n,s,r){let o=i.length;if(o<2)return null;let a=new Path2D;if(e(a,i[0],t[0]),o==2)n(a,i[1],t[1]);else{let l=Array(o),c=Array(o-1),h=Array(o-1),u=Array(o-1);for(let f=0;f<o-1;f++)h[f]=t[f+1]-t[f],u[f]=i[f+1]-i[f],c[f]=h[f]/u[f];l[0]=c[0];for(let f=1;f<o-1;f++)c[f]===0||c[f-1]===0||c[f-1]>0!=c[f]>0?l[f]=0:(l[f]=3*(u[f-1]+u[f])/((2*u[f]+u[f-1])/c[f-1]+(u[f]+2*u[f-1])/c[f]),isFinite(l[f])||(l[f]=0));l[o-1]=c[o-2];for(let f=0;f<o-1;f++)s(a,i[f]+u[f]/3,t[f]+l[f]*u[f]/3,i[f+1]-u[f]/3,t[f+1]-l[f+1]*u[f]/3,i[f+1],t[f+1])}return a}var Bf=new Set;function d0(){for(let i of Bf)i.syncRect(!0)}So&&(gr(hw,xo,d0),gr(uw,xo,d0,!0),gr(vh,xo,()=>{Cn.pxRatio=be}));var IT=j0(),LT=J0();function p0(i,t,e,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,o)=>kf(r,o,t,e))}function NT(i,t){return i.map((e,n)=>n==0?{}:hn({},t,e))}function kf(i,t,e,n){return hn({},t==0?e:n,i)}function Q0(i,t,e){return t==null?vo:[t,e]}var DT=Q0;function UT(i,t,e){return t==null?vo:yh(t,e,Wf,!0)}function tx(i,t,e,n){return t==null?vo:bh(t,e,i.scales[n].log,!1)}var FT=tx;function ex(i,t,e,n){return t==null?vo:Hf(t,e,i.scales[n].log,!1)}var OT=ex;function BT(i,t,e,n,s){let r=Zn(qg(i),qg(t)),o=t-i,a=Fi(s/n*o,e);do{let l=e[a],c=n*l/o;if(c>=s&&r+(l<5?Zs.get(l):0)<=17)return[l,c]}while(++a<e.length);return[0,0]}function m0(i){let t,e;return i=i.replace(/(\d+)px/,(n,s)=>(t=xn((e=+s)*be))+"px"),[i,t,e]}function kT(i){i.show&&[i.font,i.labelFont].forEach(t=>{let e=Fe(t[2]*be,1);t[0]=t[0].replace(/[0-9.]+px/,e+"px"),t[1]=e})}function Cn(i,t,e){let n={mode:ye(i.mode,1)},s=n.mode;function r(_,w,P,I){let k=w.valToPct(_);return I+P*(w.dir==-1?1-k:k)}function o(_,w,P,I){let k=w.valToPct(_);return I+P*(w.dir==-1?k:1-k)}function a(_,w,P,I){return w.ori==0?r(_,w,P,I):o(_,w,P,I)}n.valToPosH=r,n.valToPosV=o;let l=!1;n.status=0;let c=n.root=vi(q1);if(i.id!=null&&(c.id=i.id),hi(c,i.class),i.title){let _=vi(Z1,c);_.textContent=i.title}let h=Ui("canvas"),u=n.ctx=h.getContext("2d"),f=vi(J1,c);gr("click",f,_=>{_.target===g&&(ke!=Tr||qe!=Ar)&&An.click(n,_)},!0);let d=n.under=vi(K1,f);f.appendChild(h);let g=n.over=vi(j1,f);i=yo(i);let v=+ye(i.pxAlign,1),m=u0(v);(i.plugins||[]).forEach(_=>{_.opts&&(i=_.opts(n,i)||i)});let p=i.ms||.001,S=n.series=s==1?p0(i.series||[],s0,c0,!1):NT(i.series||[null],l0),y=n.axes=p0(i.axes||[],i0,o0,!0),M=n.scales={},R=n.bands=i.bands||[];R.forEach(_=>{_.fill=ge(_.fill||null),_.dir=ye(_.dir,-1)});let A=s==2?S[1].facets[0].scale:S[0].scale,x={axes:os,series:he},E=(i.drawOrder||["axes","series"]).map(_=>x[_]);function z(_){let w=_.distr==3?P=>bs(P>0?P:_.clamp(n,P,_.min,_.max,_.key)):_.distr==4?P=>Af(P,_.asinh):_.distr==100?P=>_.fwd(P):P=>P;return P=>{let I=w(P),{_min:k,_max:Z}=_,at=Z-k;return(I-k)/at}}function U(_){let w=M[_];if(w==null){let P=(i.scales||Oa)[_]||Oa;if(P.from!=null){U(P.from);let I=hn({},M[P.from],P,{key:_});I.valToPct=z(I),M[_]=I}else{w=M[_]=hn({},_==A?H0:MT,P),w.key=_;let I=w.time,k=w.range,Z=$s(k);if((_!=A||s==2&&!I)&&(Z&&(k[0]==null||k[1]==null)&&(k={min:k[0]==null?Hg:{mode:1,hard:k[0],soft:k[0]},max:k[1]==null?Hg:{mode:1,hard:k[1],soft:k[1]}},Z=!1),!Z&&Th(k))){let at=k;k=(dt,yt,Nt)=>yt==null?vo:yh(yt,Nt,at)}w.range=ge(k||(I?DT:_==A?w.distr==3?FT:w.distr==4?OT:Q0:w.distr==3?tx:w.distr==4?ex:UT)),w.auto=ge(Z?!1:w.auto),w.clamp=ge(w.clamp||yT),w._min=w._max=null,w.valToPct=z(w)}}}U("x"),U("y"),s==1&&S.forEach(_=>{U(_.scale)}),y.forEach(_=>{U(_.scale)});for(let _ in i.scales)U(_);let L=M[A],H=L.distr,W,N;L.ori==0?(hi(c,Y1),W=r,N=o):(hi(c,$1),W=o,N=r);let G={};for(let _ in M){let w=M[_];(w.min!=null||w.max!=null)&&(G[_]={min:w.min,max:w.max},w.min=w.max=null)}let J=i.tzDate||(_=>new Date(xn(_/p))),V=i.fmtDate||Yf,ct=p==1?Yw(J):Jw(J),K=t0(J,Qg(p==1?qw:Zw,V)),Q=n0(J,e0(jw,V)),st=[],ft=n.legend=hn({},eT,i.legend),ut=n.cursor=hn({},aT,{drag:{y:s==2}},i.cursor),tt=ft.show,mt=ut.show,_t=ft.markers;ft.idxs=st,_t.width=ge(_t.width),_t.dash=ge(_t.dash),_t.stroke=ge(_t.stroke),_t.fill=ge(_t.fill);let Et,St,Ht,ne=[],Vt=[],le,re=!1,te={};if(ft.live){let _=S[1]?S[1].values:null;re=_!=null,le=re?_(n,1,0):{_:0};for(let w in le)te[w]=Vf}if(tt)if(Et=Ui("table",sw,c),Ht=Ui("tbody",null,Et),ft.mount(n,Et),re){St=Ui("thead",null,Et,Ht);let _=Ui("tr",null,St);Ui("th",null,_);for(var Xe in le)Ui("th",Pg,_).textContent=Xe}else hi(Et,ow),ft.live&&hi(Et,rw);let Oe={show:!0},en={show:!1};function Ce(_,w){if(w==0&&(re||!ft.live||s==2))return vo;let P=[],I=Ui("tr",aw,Ht,Ht.childNodes[w]);hi(I,_.class),_.show||hi(I,mr);let k=Ui("th",null,I);if(_t.show){let dt=vi(lw,k);if(w>0){let yt=_t.width(n,w);yt&&(dt.style.border=yt+"px "+_t.dash(n,w)+" "+_t.stroke(n,w)),dt.style.background=_t.fill(n,w)}}let Z=vi(Pg,k);_.label instanceof HTMLElement?Z.appendChild(_.label):Z.textContent=_.label,w>0&&(_t.show||(Z.style.color=_.width>0?_t.stroke(n,w):_t.fill(n,w)),_e("click",k,dt=>{if(ut._lock)return;Zt(dt);let yt=S.indexOf(_);if((dt.ctrlKey||dt.metaKey)!=ft.isolate){let Nt=S.some((Dt,Ft)=>Ft>0&&Ft!=yt&&Dt.show);S.forEach((Dt,Ft)=>{Ft>0&&Vi(Ft,Nt?Ft==yt?Oe:en:Oe,!0,an.setSeries)})}else Vi(yt,{show:!_.show},!0,an.setSeries)},!1),Jt&&_e(Dg,k,dt=>{ut._lock||(Zt(dt),Vi(S.indexOf(_),Rr,!0,an.setSeries))},!1));for(var at in le){let dt=Ui("td",cw,I);dt.textContent="--",P.push(dt)}return[I,P]}let vn=new Map;function _e(_,w,P,I=!0){let k=vn.get(w)||{},Z=ut.bind[_](n,w,P,I);Z&&(gr(_,w,k[_]=Z),vn.set(w,k))}function un(_,w,P){let I=vn.get(w)||{};for(let k in I)(_==null||k==_)&&(Nf(k,w,I[k]),delete I[k]);_==null&&vn.delete(w)}let $e=0,nn=0,O=0,Ct=0,qt=0,ie=0,bt=qt,Le=ie,zt=O,Xt=Ct,C=0,b=0,X=0,ht=0;n.bbox={};let ot=!1,xt=!1,vt=!1,et=!1,it=!1,pt=!1;function F(_,w,P){(P||_!=n.width||w!=n.height)&&rt(_,w),oe(!1),vt=!0,xt=!0,Pn()}function rt(_,w){n.width=$e=O=_,n.height=nn=Ct=w,qt=ie=0,Mt(),Gt();let P=n.bbox;C=P.left=dr(qt*be,.5),b=P.top=dr(ie*be,.5),X=P.width=dr(O*be,.5),ht=P.height=dr(Ct*be,.5)}let nt=3;function wt(){let _=!1,w=0;for(;!_;){w++;let P=Sr(w),I=zi(w);_=w==nt||P&&I,_||(rt(n.width,n.height),xt=!0)}}function gt({width:_,height:w}){F(_,w)}n.setSize=gt;function Mt(){let _=!1,w=!1,P=!1,I=!1;y.forEach((k,Z)=>{if(k.show&&k._show){let{side:at,_size:dt}=k,yt=at%2,Nt=k.label!=null?k.labelSize:0,Dt=dt+Nt;Dt>0&&(yt?(O-=Dt,at==3?(qt+=Dt,I=!0):P=!0):(Ct-=Dt,at==0?(ie+=Dt,_=!0):w=!0))}}),Bi[0]=_,Bi[1]=P,Bi[2]=w,Bi[3]=I,O-=Mi[1]+Mi[3],qt+=Mi[3],Ct-=Mi[2]+Mi[0],ie+=Mi[0]}function Gt(){let _=qt+O,w=ie+Ct,P=qt,I=ie;function k(Z,at){switch(Z){case 1:return _+=at,_-at;case 2:return w+=at,w-at;case 3:return P-=at,P+at;case 0:return I-=at,I+at}}y.forEach((Z,at)=>{if(Z.show&&Z._show){let dt=Z.side;Z._pos=k(dt,Z._size),Z.label!=null&&(Z._lpos=k(dt,Z.labelSize))}})}if(ut.dataIdx==null){let _=ut.hover,w=_.skip=new Set(_.skip??[]);w.add(void 0);let P=_.prox=ge(_.prox),I=_.bias??(_.bias=0);ut.dataIdx=(k,Z,at,dt)=>{if(Z==0)return at;let yt=at,Nt=P(k,Z,at,dt)??Ue,Dt=Nt>=0&&Nt<Ue,Ft=L.ori==0?O:Ct,ee=ut.left,Me=t[0],ve=t[Z];if(w.has(ve[at])){yt=null;let ue=null,$t=null,Wt;if(I==0||I==-1)for(Wt=at;ue==null&&Wt-- >0;)w.has(ve[Wt])||(ue=Wt);if(I==0||I==1)for(Wt=at;$t==null&&Wt++<ve.length;)w.has(ve[Wt])||($t=Wt);if(ue!=null||$t!=null)if(Dt){let Ve=ue==null?-1/0:W(Me[ue],L,Ft,0),Ke=$t==null?1/0:W(Me[$t],L,Ft,0),bn=ee-Ve,Pe=Ke-ee;bn<=Pe?bn<=Nt&&(yt=ue):Pe<=Nt&&(yt=$t)}else yt=$t==null?ue:ue==null?$t:at-ue<=$t-at?ue:$t}else Dt&&_n(ee-W(Me[at],L,Ft,0))>Nt&&(yt=null);return yt}}let Zt=_=>{ut.event=_};ut.idxs=st,ut._lock=!1;let lt=ut.points;lt.show=ge(lt.show),lt.size=ge(lt.size),lt.stroke=ge(lt.stroke),lt.width=ge(lt.width),lt.fill=ge(lt.fill);let Ot=n.focus=hn({},i.focus||{alpha:.3},ut.focus),Jt=Ot.prox>=0,Rt=Jt&&lt.one,se=[],Be=[],On=[];function Ao(_,w){let P=lt.show(n,w);if(P instanceof HTMLElement)return hi(P,iw),hi(P,_.class),ns(P,-10,-10,O,Ct),g.insertBefore(P,se[w]),P}function vr(_,w){if(s==1||w>0){let P=s==1&&M[_.scale].time,I=_.value;_.value=P?Zg(I)?n0(J,e0(I,V)):I||Q:I||xT,_.label=_.label||(P?cT:lT)}if(Rt||w>0){_.width=_.width==null?1:_.width,_.paths=_.paths||IT||Mw,_.fillTo=ge(_.fillTo||ST),_.pxAlign=+ye(_.pxAlign,v),_.pxRound=u0(_.pxAlign),_.stroke=ge(_.stroke||null),_.fill=ge(_.fill||null),_._stroke=_._fill=_._paths=_._focus=null;let P=_T(Zn(1,_.width),1),I=_.points=hn({},{size:P,width:Zn(1,P*.2),stroke:_.stroke,space:P*2,paths:LT,_stroke:null,_fill:null},_.points);I.show=ge(I.show),I.filter=ge(I.filter),I.fill=ge(I.fill),I.stroke=ge(I.stroke),I.paths=ge(I.paths),I.pxAlign=_.pxAlign}if(tt){let P=Ce(_,w);ne.splice(w,0,P[0]),Vt.splice(w,0,P[1]),ft.values.push(null)}if(mt){st.splice(w,0,null);let P=null;Rt?w==0&&(P=Ao(_,w)):w>0&&(P=Ao(_,w)),se.splice(w,0,P),Be.splice(w,0,0),On.splice(w,0,0)}Sn("addSeries",w)}function Lh(_,w){w=w??S.length,_=s==1?kf(_,w,s0,c0):kf(_,w,{},l0),S.splice(w,0,_),vr(S[w],w)}n.addSeries=Lh;function Ga(_){if(S.splice(_,1),tt){ft.values.splice(_,1),Vt.splice(_,1);let w=ne.splice(_,1)[0];un(null,w.firstChild),w.remove()}mt&&(st.splice(_,1),se.splice(_,1)[0].remove(),Be.splice(_,1),On.splice(_,1)),Sn("delSeries",_)}n.delSeries=Ga;let Bi=[!1,!1,!1,!1];function is(_,w){if(_._show=_.show,_.show){let P=_.side%2,I=M[_.scale];I==null&&(_.scale=P?S[1].scale:A,I=M[_.scale]);let k=I.time;_.size=ge(_.size),_.space=ge(_.space),_.rotate=ge(_.rotate),$s(_.incrs)&&_.incrs.forEach(at=>{!Zs.has(at)&&Zs.set(at,w0(at))}),_.incrs=ge(_.incrs||(I.distr==2?Hw:k?p==1?Xw:$w:pr)),_.splits=ge(_.splits||(k&&I.distr==1?ct:I.distr==3?Uf:I.distr==4?fT:uT)),_.stroke=ge(_.stroke),_.grid.stroke=ge(_.grid.stroke),_.ticks.stroke=ge(_.ticks.stroke),_.border.stroke=ge(_.border.stroke);let Z=_.values;_.values=$s(Z)&&!$s(Z[0])?ge(Z):k?$s(Z)?t0(J,Qg(Z,V)):Zg(Z)?Kw(J,Z):Z||K:Z||hT,_.filter=ge(_.filter||(I.distr>=3&&I.log==10?mT:I.distr==3&&I.log==2?gT:S0)),_.font=m0(_.font),_.labelFont=m0(_.labelFont),_._size=_.size(n,null,w,0),_._space=_._rotate=_._incrs=_._found=_._splits=_._values=null,_._size>0&&(Bi[w]=!0,_._el=vi(Q1,f))}}function ss(_,w,P,I){let[k,Z,at,dt]=P,yt=w%2,Nt=0;return yt==0&&(dt||Z)&&(Nt=w==0&&!k||w==2&&!at?xn(i0.size/3):0),yt==1&&(k||at)&&(Nt=w==1&&!Z||w==3&&!dt?xn(o0.size/2):0),Nt}let Eo=n.padding=(i.padding||[ss,ss,ss,ss]).map(_=>ge(ye(_,ss))),Mi=n._padding=Eo.map((_,w)=>_(n,w,Bi,0)),Ze,Qe=null,tn=null,ki=s==1?S[0].idxs:null,Kn=null,As=!1;function Ro(_,w){if(t=_??[],n.data=n._data=t,s==2){Ze=0;for(let P=1;P<S.length;P++)Ze+=t[P][0].length}else{t.length==0&&(n.data=n._data=t=[[]]),Kn=t[0],Ze=Kn.length;let P=t;if(H==2){P=t.slice();let I=P[0]=Array(Ze);for(let k=0;k<Ze;k++)I[k]=k}n._data=t=P}if(oe(!0),Sn("setData"),H==2&&(vt=!0),w!==!1){let P=L;P.auto(n,As)?Co():Cs(A,P.min,P.max),et=et||ut.left>=0,pt=!0,Pn()}}n.setData=Ro;function Co(){As=!0;let _,w;s==1&&(Ze>0?(Qe=ki[0]=0,tn=ki[1]=Ze-1,_=t[0][Qe],w=t[0][tn],H==2?(_=Qe,w=tn):_==w&&(H==3?[_,w]=bh(_,_,L.log,!1):H==4?[_,w]=Hf(_,_,L.log,!1):L.time?w=_+xn(86400/p):[_,w]=yh(_,w,Wf,!0))):(Qe=ki[0]=_=null,tn=ki[1]=w=null)),Cs(A,_,w)}let yr,Es,Mr,T,B,j,q,Y,Tt,Pt;function At(_,w,P,I,k,Z){_??(_=Lg),P??(P=qf),I??(I="butt"),k??(k=Lg),Z??(Z="round"),_!=yr&&(u.strokeStyle=yr=_),k!=Es&&(u.fillStyle=Es=k),w!=Mr&&(u.lineWidth=Mr=w),Z!=B&&(u.lineJoin=B=Z),I!=j&&(u.lineCap=j=I),P!=T&&u.setLineDash(T=P)}function It(_,w,P,I){w!=Es&&(u.fillStyle=Es=w),_!=q&&(u.font=q=_),P!=Y&&(u.textAlign=Y=P),I!=Tt&&(u.textBaseline=Tt=I)}function kt(_,w,P,I,k=0){if(I.length>0&&_.auto(n,As)&&(w==null||w.min==null)){let Z=ye(Qe,0),at=ye(tn,I.length-1),dt=P.min==null?mw(I,Z,at,k,_.distr==3):[P.min,P.max];_.min=Oi(_.min,P.min=dt[0]),_.max=Zn(_.max,P.max=dt[1])}}let Kt={min:null,max:null};function ce(){for(let I in M){let k=M[I];G[I]==null&&(k.min==null||G[A]!=null&&k.auto(n,As))&&(G[I]=Kt)}for(let I in M){let k=M[I];G[I]==null&&k.from!=null&&G[k.from]!=null&&(G[I]=Kt)}G[A]!=null&&oe(!0);let _={};for(let I in G){let k=G[I];if(k!=null){let Z=_[I]=yo(M[I],ww);if(k.min!=null)hn(Z,k);else if(I!=A||s==2)if(Ze==0&&Z.from==null){let at=Z.range(n,null,null,I);Z.min=at[0],Z.max=at[1]}else Z.min=Ue,Z.max=-Ue}}if(Ze>0){S.forEach((I,k)=>{if(s==1){let Z=I.scale,at=G[Z];if(at==null)return;let dt=_[Z];if(k==0){let yt=dt.range(n,dt.min,dt.max,Z);dt.min=yt[0],dt.max=yt[1],Qe=Fi(dt.min,t[0]),tn=Fi(dt.max,t[0]),tn-Qe>1&&(t[0][Qe]<dt.min&&Qe++,t[0][tn]>dt.max&&tn--),I.min=Kn[Qe],I.max=Kn[tn]}else I.show&&I.auto&&kt(dt,at,I,t[k],I.sorted);I.idxs[0]=Qe,I.idxs[1]=tn}else if(k>0&&I.show&&I.auto){let[Z,at]=I.facets,dt=Z.scale,yt=at.scale,[Nt,Dt]=t[k],Ft=_[dt],ee=_[yt];Ft!=null&&kt(Ft,G[dt],Z,Nt,Z.sorted),ee!=null&&kt(ee,G[yt],at,Dt,at.sorted),I.min=at.min,I.max=at.max}});for(let I in _){let k=_[I],Z=G[I];if(k.from==null&&(Z==null||Z.min==null)){let at=k.range(n,k.min==Ue?null:k.min,k.max==-Ue?null:k.max,I);k.min=at[0],k.max=at[1]}}}for(let I in _){let k=_[I];if(k.from!=null){let Z=_[k.from];if(Z.min==null)k.min=k.max=null;else{let at=k.range(n,Z.min,Z.max,I);k.min=at[0],k.max=at[1]}}}let w={},P=!1;for(let I in _){let k=_[I],Z=M[I];if(Z.min!=k.min||Z.max!=k.max){Z.min=k.min,Z.max=k.max;let at=Z.distr;Z._min=at==3?bs(Z.min):at==4?Af(Z.min,Z.asinh):at==100?Z.fwd(Z.min):Z.min,Z._max=at==3?bs(Z.max):at==4?Af(Z.max,Z.asinh):at==100?Z.fwd(Z.max):Z.max,w[I]=P=!0}}if(P){S.forEach((I,k)=>{s==2?k>0&&w.y&&(I._paths=null):w[I.scale]&&(I._paths=null)});for(let I in w)vt=!0,Sn("setScale",I);mt&&ut.left>=0&&(et=pt=!0)}for(let I in G)G[I]=null}function Bt(_){let w=Df(Qe-1,0,Ze-1),P=Df(tn+1,0,Ze-1);for(;_[w]==null&&w>0;)w--;for(;_[P]==null&&P<Ze-1;)P++;return[w,P]}function he(){if(Ze>0){let _=S.some(w=>w._focus)&&Pt!=Ot.alpha;_&&(u.globalAlpha=Pt=Ot.alpha),S.forEach((w,P)=>{if(P>0&&w.show&&(Ye(P,!1),Ye(P,!0),w._paths==null)){let I=Pt;Pt!=w.alpha&&(u.globalAlpha=Pt=w.alpha);let k=s==2?[0,t[P][0].length-1]:Bt(t[P]);w._paths=w.paths(n,P,k[0],k[1]),Pt!=I&&(u.globalAlpha=Pt=I)}}),S.forEach((w,P)=>{if(P>0&&w.show){let I=Pt;Pt!=w.alpha&&(u.globalAlpha=Pt=w.alpha),w._paths!=null&&Ae(P,!1);{let k=w._paths!=null?w._paths.gaps:null,Z=w.points.show(n,P,Qe,tn,k),at=w.points.filter(n,P,Z,k);(Z||at)&&(w.points._paths=w.points.paths(n,P,Qe,tn,at),Ae(P,!0))}Pt!=I&&(u.globalAlpha=Pt=I),Sn("drawSeries",P)}}),_&&(u.globalAlpha=Pt=1)}}function Ye(_,w){let P=w?S[_].points:S[_];P._stroke=P.stroke(n,_),P._fill=P.fill(n,_)}function Ae(_,w){let P=w?S[_].points:S[_],{stroke:I,fill:k,clip:Z,flags:at,_stroke:dt=P._stroke,_fill:yt=P._fill,_width:Nt=P.width}=P._paths;Nt=Fe(Nt*be,3);let Dt=null,Ft=Nt%2/2;w&&yt==null&&(yt=Nt>0?"#fff":dt);let ee=P.pxAlign==1&&Ft>0;if(ee&&u.translate(Ft,Ft),!w){let Me=C-Nt/2,ve=b-Nt/2,ue=X+Nt,$t=ht+Nt;Dt=new Path2D,Dt.rect(Me,ve,ue,$t)}w?Ut(dt,Nt,P.dash,P.cap,yt,I,k,at,Z):Ee(_,dt,Nt,P.dash,P.cap,yt,I,k,at,Dt,Z),ee&&u.translate(-Ft,-Ft)}function Ee(_,w,P,I,k,Z,at,dt,yt,Nt,Dt){let Ft=!1;yt!=0&&R.forEach((ee,Me)=>{if(ee.series[0]==_){let ve=S[ee.series[1]],ue=t[ee.series[1]],$t=(ve._paths||Oa).band;$s($t)&&($t=ee.dir==1?$t[0]:$t[1]);let Wt,Ve=null;ve.show&&$t&&xw(ue,Qe,tn)?(Ve=ee.fill(n,Me)||Z,Wt=ve._paths.clip):$t=null,Ut(w,P,I,k,Ve,at,dt,yt,Nt,Dt,Wt,$t),Ft=!0}}),Ft||Ut(w,P,I,k,Z,at,dt,yt,Nt,Dt)}let fn=Mo|Of;function Ut(_,w,P,I,k,Z,at,dt,yt,Nt,Dt,Ft){At(_,w,P,I,k),(yt||Nt||Ft)&&(u.save(),yt&&u.clip(yt),Nt&&u.clip(Nt)),Ft?(dt&fn)==fn?(u.clip(Ft),Dt&&u.clip(Dt),fe(k,at),sn(_,Z,w)):dt&Of?(fe(k,at),u.clip(Ft),sn(_,Z,w)):dt&Mo&&(u.save(),u.clip(Ft),Dt&&u.clip(Dt),fe(k,at),u.restore(),sn(_,Z,w)):(fe(k,at),sn(_,Z,w)),(yt||Nt||Ft)&&u.restore()}function sn(_,w,P){P>0&&(w instanceof Map?w.forEach((I,k)=>{u.strokeStyle=yr=k,u.stroke(I)}):w!=null&&_&&u.stroke(w))}function fe(_,w){w instanceof Map?w.forEach((P,I)=>{u.fillStyle=Es=I,u.fill(P)}):w!=null&&_&&u.fill(w)}function rs(_,w,P,I){let k=y[_],Z;if(I<=0)Z=[0,0];else{let at=k._space=k.space(n,_,w,P,I),dt=k._incrs=k.incrs(n,_,w,P,I,at);Z=BT(w,P,dt,I,at)}return k._found=Z}function rn(_,w,P,I,k,Z,at,dt,yt,Nt){let Dt=at%2/2;v==1&&u.translate(Dt,Dt),At(dt,at,yt,Nt,dt),u.beginPath();let Ft,ee,Me,ve,ue=k+(I==0||I==3?-Z:Z);P==0?(ee=k,ve=ue):(Ft=k,Me=ue);for(let $t=0;$t<_.length;$t++)w[$t]!=null&&(P==0?Ft=Me=_[$t]:ee=ve=_[$t],u.moveTo(Ft,ee),u.lineTo(Me,ve));u.stroke(),v==1&&u.translate(-Dt,-Dt)}function Sr(_){let w=!0;return y.forEach((P,I)=>{if(!P.show)return;let k=M[P.scale];if(k.min==null){P._show&&(w=!1,P._show=!1,oe(!1));return}else P._show||(w=!1,P._show=!0,oe(!1));let Z=P.side,at=Z%2,{min:dt,max:yt}=k,[Nt,Dt]=rs(I,dt,yt,at==0?O:Ct);if(Dt==0)return;let Ft=k.distr==2,ee=P._splits=P.splits(n,I,dt,yt,Nt,Dt,Ft),Me=k.distr==2?ee.map(Wt=>Kn[Wt]):ee,ve=k.distr==2?Kn[ee[1]]-Kn[ee[0]]:Nt,ue=P._values=P.values(n,P.filter(n,Me,I,Dt,ve),I,Dt,ve);P._rotate=Z==2?P.rotate(n,ue,I,Dt):0;let $t=P._size;P._size=yi(P.size(n,ue,I,_)),$t!=null&&P._size!=$t&&(w=!1)}),w}function zi(_){let w=!0;return Eo.forEach((P,I)=>{let k=P(n,I,Bi,_);k!=Mi[I]&&(w=!1),Mi[I]=k}),w}function os(){for(let _=0;_<y.length;_++){let w=y[_];if(!w.show||!w._show)continue;let P=w.side,I=P%2,k,Z,at=w.stroke(n,_),dt=P==0||P==3?-1:1,[yt,Nt]=w._found;if(w.label!=null){let zn=w.labelGap*dt,ti=xn((w._lpos+zn)*be);It(w.labelFont[0],at,"center",P==2?"top":Ig),u.save(),I==1?(k=Z=0,u.translate(ti,xn(b+ht/2)),u.rotate((P==3?-_h:_h)/2)):(k=xn(C+X/2),Z=ti);let js=y0(w.label)?w.label(n,_,yt,Nt):w.label;u.fillText(js,k,Z),u.restore()}if(Nt==0)continue;let Dt=M[w.scale],Ft=I==0?X:ht,ee=I==0?C:b,Me=w._splits,ve=Dt.distr==2?Me.map(zn=>Kn[zn]):Me,ue=Dt.distr==2?Kn[Me[1]]-Kn[Me[0]]:yt,$t=w.ticks,Wt=w.border,Ve=$t.show?$t.size:0,Ke=xn(Ve*be),bn=xn((w.alignTo==2?w._size-Ve-w.gap:w.gap)*be),Pe=w._rotate*-_h/180,je=m(w._pos*be),jn=(Ke+bn)*dt,kn=je+jn;Z=I==0?kn:0,k=I==1?kn:0;let di=w.font[0],Si=w.align==1?mo:w.align==2?bf:Pe>0?mo:Pe<0?bf:I==0?"center":P==3?bf:mo,Hi=Pe||I==1?"middle":P==2?"top":Ig;It(di,at,Si,Hi);let Qn=w.font[1]*w.lineGap,pi=Me.map(zn=>m(a(zn,Dt,Ft,ee))),bi=w._values;for(let zn=0;zn<bi.length;zn++){let ti=bi[zn];if(ti!=null){I==0?k=pi[zn]:Z=pi[zn],ti=""+ti;let js=ti.indexOf(`
`)==-1?[ti]:ti.split(/\n/gm);for(let Vn=0;Vn<js.length;Vn++){let Td=js[Vn];Pe?(u.save(),u.translate(k,Z+Vn*Qn),u.rotate(Pe),u.fillText(Td,0,0),u.restore()):u.fillText(Td,k,Z+Vn*Qn)}}}$t.show&&rn(pi,$t.filter(n,ve,_,Nt,ue),I,P,je,Ke,Fe($t.width*be,3),$t.stroke(n,_),$t.dash,$t.cap);let Wi=w.grid;Wi.show&&rn(pi,Wi.filter(n,ve,_,Nt,ue),I,I==0?2:1,I==0?b:C,I==0?ht:X,Fe(Wi.width*be,3),Wi.stroke(n,_),Wi.dash,Wi.cap),Wt.show&&rn([je],[1],I==0?1:0,I==0?1:2,I==1?b:C,I==1?ht:X,Fe(Wt.width*be,3),Wt.stroke(n,_),Wt.dash,Wt.cap)}Sn("drawAxes")}function oe(_){S.forEach((w,P)=>{P>0&&(w._paths=null,_&&(s==1?(w.min=null,w.max=null):w.facets.forEach(I=>{I.min=null,I.max=null})))})}let Je=!1,Bn=!1,Re=[];function on(){Bn=!1;for(let _=0;_<Re.length;_++)Sn(...Re[_]);Re.length=0}function Pn(){Je||(Iw(ad),Je=!0)}function Ha(_,w=!1){Je=!0,Bn=w,_(n),ad(),w&&Re.length>0&&queueMicrotask(on)}n.batch=Ha;function ad(){if(ot&&(ce(),ot=!1),vt&&(wt(),vt=!1),xt){if(We(d,mo,qt),We(d,"top",ie),We(d,Na,O),We(d,Da,Ct),We(g,mo,qt),We(g,"top",ie),We(g,Na,O),We(g,Da,Ct),We(f,Na,$e),We(f,Da,nn),h.width=xn($e*be),h.height=xn(nn*be),y.forEach(({_el:_,_show:w,_size:P,_pos:I,side:k})=>{if(_!=null)if(w){let Z=k===3||k===0?P:0,at=k%2==1;We(_,at?"left":"top",I-Z),We(_,at?"width":"height",P),We(_,at?"top":"left",at?ie:qt),We(_,at?"height":"width",at?Ct:O),Lf(_,mr)}else hi(_,mr)}),yr=Es=Mr=B=j=q=Y=Tt=T=null,Pt=1,Lo(!0),qt!=bt||ie!=Le||O!=zt||Ct!=Xt){oe(!1);let _=O/zt,w=Ct/Xt;if(mt&&!et&&ut.left>=0){ut.left*=_,ut.top*=w,br&&ns(br,xn(ut.left),0,O,Ct),wr&&ns(wr,0,xn(ut.top),O,Ct);for(let P=0;P<se.length;P++){let I=se[P];I!=null&&(Be[P]*=_,On[P]*=w,ns(I,yi(Be[P]),yi(On[P]),O,Ct))}}if(ze.show&&!it&&ze.left>=0&&ze.width>0){ze.left*=_,ze.width*=_,ze.top*=w,ze.height*=w;for(let P in Bh)We(Er,P,ze[P])}bt=qt,Le=ie,zt=O,Xt=Ct}Sn("setSize"),xt=!1}$e>0&&nn>0&&(u.clearRect(0,0,h.width,h.height),Sn("drawClear"),E.forEach(_=>_()),Sn("draw")),ze.show&&it&&(Wa(ze),it=!1),mt&&et&&(Ks(null,!0,!1),et=!1),ft.show&&ft.live&&pt&&(Fh(),pt=!1),l||(l=!0,n.status=1,Sn("ready")),As=!1,Je=!1}n.redraw=(_,w)=>{vt=w||!1,_!==!1?Cs(A,L.min,L.max):Pn()};function Nh(_,w){let P=M[_];if(P.from==null){if(Ze==0){let I=P.range(n,w.min,w.max,_);w.min=I[0],w.max=I[1]}if(w.min>w.max){let I=w.min;w.min=w.max,w.max=I}if(Ze>1&&w.min!=null&&w.max!=null&&w.max-w.min<1e-16)return;_==A&&P.distr==2&&Ze>0&&(w.min=Fi(w.min,t[0]),w.max=Fi(w.max,t[0]),w.min==w.max&&w.max++),G[_]=w,ot=!0,Pn()}}n.setScale=Nh;let Dh,Uh,br,wr,ld,cd,Tr,Ar,hd,ud,ke,qe,Rs=!1,An=ut.drag,yn=An.x,Mn=An.y;mt&&(ut.x&&(Dh=vi(ew,g)),ut.y&&(Uh=vi(nw,g)),L.ori==0?(br=Dh,wr=Uh):(br=Uh,wr=Dh),ke=ut.left,qe=ut.top);let ze=n.select=hn({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),Er=ze.show?vi(tw,ze.over?g:d):null;function Wa(_,w){if(ze.show){for(let P in _)ze[P]=_[P],P in Bh&&We(Er,P,_[P]);w!==!1&&Sn("setSelect")}}n.setSelect=Wa;function Ex(_){if(S[_].show)tt&&Lf(ne[_],mr);else if(tt&&hi(ne[_],mr),mt){let P=Rt?se[0]:se[_];P!=null&&ns(P,-10,-10,O,Ct)}}function Cs(_,w,P){Nh(_,{min:w,max:P})}function Vi(_,w,P,I){w.focus!=null&&Lx(_),w.show!=null&&S.forEach((k,Z)=>{Z>0&&(_==Z||_==null)&&(k.show=w.show,Ex(Z),s==2?(Cs(k.facets[0].scale,null,null),Cs(k.facets[1].scale,null,null)):Cs(k.scale,null,null),Pn())}),P!==!1&&Sn("setSeries",_,w),I&&No("setSeries",n,_,w)}n.setSeries=Vi;function Rx(_,w){hn(R[_],w)}function Cx(_,w){_.fill=ge(_.fill||null),_.dir=ye(_.dir,-1),w=w??R.length,R.splice(w,0,_)}function Px(_){_==null?R.length=0:R.splice(_,1)}n.addBand=Cx,n.setBand=Rx,n.delBand=Px;function Ix(_,w){S[_].alpha=w,mt&&se[_]!=null&&(se[_].style.opacity=w),tt&&ne[_]&&(ne[_].style.opacity=w)}let as,Ps,Js,Rr={focus:!0};function Lx(_){if(_!=Js){let w=_==null,P=Ot.alpha!=1;S.forEach((I,k)=>{if(s==1||k>0){let Z=w||k==0||k==_;I._focus=w?null:Z,P&&Ix(k,Z?1:Ot.alpha)}}),Js=_,P&&Pn()}}tt&&Jt&&_e(Ug,Et,_=>{ut._lock||(Zt(_),Js!=null&&Vi(null,Rr,!0,an.setSeries))});function Gi(_,w,P){let I=M[w];P&&(_=_/be-(I.ori==1?ie:qt));let k=O;I.ori==1&&(k=Ct,_=k-_),I.dir==-1&&(_=k-_);let Z=I._min,at=I._max,dt=_/k,yt=Z+(at-Z)*dt,Nt=I.distr;return Nt==3?_o(10,yt):Nt==4?vw(yt,I.asinh):Nt==100?I.bwd(yt):yt}function Nx(_,w){let P=Gi(_,A,w);return Fi(P,t[0],Qe,tn)}n.valToIdx=_=>Fi(_,t[0]),n.posToIdx=Nx,n.posToVal=Gi,n.valToPos=(_,w,P)=>M[w].ori==0?r(_,M[w],P?X:O,P?C:0):o(_,M[w],P?ht:Ct,P?b:0),n.setCursor=(_,w,P)=>{ke=_.left,qe=_.top,Ks(null,w,P)};function fd(_,w){We(Er,mo,ze.left=_),We(Er,Na,ze.width=w)}function dd(_,w){We(Er,"top",ze.top=_),We(Er,Da,ze.height=w)}let Po=L.ori==0?fd:dd,Io=L.ori==1?fd:dd;function Dx(){if(tt&&ft.live)for(let _=s==2?1:0;_<S.length;_++){if(_==0&&re)continue;let w=ft.values[_],P=0;for(let I in w)Vt[_][P++].firstChild.nodeValue=w[I]}}function Fh(_,w){if(_!=null&&(_.idxs?_.idxs.forEach((P,I)=>{st[I]=P}):bw(_.idx)||st.fill(_.idx),ft.idx=st[0]),tt&&ft.live){for(let P=0;P<S.length;P++)(P>0||s==1&&!re)&&Ux(P,st[P]);Dx()}pt=!1,w!==!1&&Sn("setLegend")}n.setLegend=Fh;function Ux(_,w){let P=S[_],I=_==0&&H==2?Kn:t[_],k;re?k=P.values(n,_,w)??te:(k=P.value(n,w==null?null:I[w],_,w),k=k==null?te:{_:k}),ft.values[_]=k}function Ks(_,w,P){hd=ke,ud=qe,[ke,qe]=ut.move(n,ke,qe),ut.left=ke,ut.top=qe,mt&&(br&&ns(br,xn(ke),0,O,Ct),wr&&ns(wr,0,xn(qe),O,Ct));let I,k=Qe>tn;as=Ue,Ps=null;let Z=L.ori==0?O:Ct,at=L.ori==1?O:Ct;if(ke<0||Ze==0||k){I=ut.idx=null;for(let dt=0;dt<S.length;dt++){let yt=se[dt];yt!=null&&ns(yt,-10,-10,O,Ct)}Jt&&Vi(null,Rr,!0,_==null&&an.setSeries),ft.live&&(st.fill(I),pt=!0)}else{let dt,yt,Nt;s==1&&(dt=L.ori==0?ke:qe,yt=Gi(dt,A),I=ut.idx=Fi(yt,t[0],Qe,tn),Nt=W(t[0][I],L,Z,0));let Dt=-10,Ft=-10,ee=0,Me=0,ve=!0,ue="",$t="";for(let Wt=s==2?1:0;Wt<S.length;Wt++){let Ve=S[Wt],Ke=st[Wt],bn=Ke==null?null:s==1?t[Wt][Ke]:t[Wt][1][Ke],Pe=ut.dataIdx(n,Wt,I,yt),je=Pe==null?null:s==1?t[Wt][Pe]:t[Wt][1][Pe];if(pt=pt||je!=bn||Pe!=Ke,st[Wt]=Pe,Wt>0&&Ve.show){let jn=Pe==null?-10:Pe==I?Nt:W(s==1?t[0][Pe]:t[Wt][0][Pe],L,Z,0),kn=je==null?-10:N(je,s==1?M[Ve.scale]:M[Ve.facets[1].scale],at,0);if(Jt&&je!=null){let di=L.ori==1?ke:qe,Si=_n(Ot.dist(n,Wt,Pe,kn,di));if(Si<as){let Hi=Ot.bias;if(Hi!=0){let Qn=Gi(di,Ve.scale),pi=je>=0?1:-1,bi=Qn>=0?1:-1;bi==pi&&(bi==1?Hi==1?je>=Qn:je<=Qn:Hi==1?je<=Qn:je>=Qn)&&(as=Si,Ps=Wt)}else as=Si,Ps=Wt}}if(pt||Rt){let di,Si;L.ori==0?(di=jn,Si=kn):(di=kn,Si=jn);let Hi,Qn,pi,bi,Wi,zn,ti=!0,js=lt.bbox;if(js!=null){ti=!1;let Vn=js(n,Wt);pi=Vn.left,bi=Vn.top,Hi=Vn.width,Qn=Vn.height}else pi=di,bi=Si,Hi=Qn=lt.size(n,Wt);if(zn=lt.fill(n,Wt),Wi=lt.stroke(n,Wt),Rt)Wt==Ps&&as<=Ot.prox&&(Dt=pi,Ft=bi,ee=Hi,Me=Qn,ve=ti,ue=zn,$t=Wi);else{let Vn=se[Wt];Vn!=null&&(Be[Wt]=pi,On[Wt]=bi,Gg(Vn,Hi,Qn,ti),zg(Vn,zn,Wi),ns(Vn,yi(pi),yi(bi),O,Ct))}}}}if(Rt){let Wt=Ot.prox,Ve=Js==null?as<=Wt:as>Wt||Ps!=Js;if(pt||Ve){let Ke=se[0];Ke!=null&&(Be[0]=Dt,On[0]=Ft,Gg(Ke,ee,Me,ve),zg(Ke,ue,$t),ns(Ke,yi(Dt),yi(Ft),O,Ct))}}}if(ze.show&&Rs)if(_!=null){let[dt,yt]=an.scales,[Nt,Dt]=an.match,[Ft,ee]=_.cursor.sync.scales,Me=_.cursor.drag;if(yn=Me._x,Mn=Me._y,yn||Mn){let{left:ve,top:ue,width:$t,height:Wt}=_.select,Ve=_.scales[Ft].ori,Ke=_.posToVal,bn,Pe,je,jn,kn,di=dt!=null&&Nt(dt,Ft),Si=yt!=null&&Dt(yt,ee);di&&yn?(Ve==0?(bn=ve,Pe=$t):(bn=ue,Pe=Wt),je=M[dt],jn=W(Ke(bn,Ft),je,Z,0),kn=W(Ke(bn+Pe,Ft),je,Z,0),Po(Oi(jn,kn),_n(kn-jn))):Po(0,Z),Si&&Mn?(Ve==1?(bn=ve,Pe=$t):(bn=ue,Pe=Wt),je=M[yt],jn=N(Ke(bn,ee),je,at,0),kn=N(Ke(bn+Pe,ee),je,at,0),Io(Oi(jn,kn),_n(kn-jn))):Io(0,at)}else kh()}else{let dt=_n(hd-ld),yt=_n(ud-cd);if(L.ori==1){let ee=dt;dt=yt,yt=ee}yn=An.x&&dt>=An.dist,Mn=An.y&&yt>=An.dist;let Nt=An.uni;Nt!=null?yn&&Mn&&(yn=dt>=Nt,Mn=yt>=Nt,!yn&&!Mn&&(yt>dt?Mn=!0:yn=!0)):An.x&&An.y&&(yn||Mn)&&(yn=Mn=!0);let Dt,Ft;yn&&(L.ori==0?(Dt=Tr,Ft=ke):(Dt=Ar,Ft=qe),Po(Oi(Dt,Ft),_n(Ft-Dt)),Mn||Io(0,at)),Mn&&(L.ori==1?(Dt=Tr,Ft=ke):(Dt=Ar,Ft=qe),Io(Oi(Dt,Ft),_n(Ft-Dt)),yn||Po(0,Z)),!yn&&!Mn&&(Po(0,0),Io(0,0))}if(An._x=yn,An._y=Mn,_==null){if(P){if(wd!=null){let[dt,yt]=an.scales;an.values[0]=dt!=null?Gi(L.ori==0?ke:qe,dt):null,an.values[1]=yt!=null?Gi(L.ori==1?ke:qe,yt):null}No(wf,n,ke,qe,O,Ct,I)}if(Jt){let dt=P&&an.setSeries,yt=Ot.prox;Js==null?as<=yt&&Vi(Ps,Rr,!0,dt):as>yt?Vi(null,Rr,!0,dt):Ps!=Js&&Vi(Ps,Rr,!0,dt)}}pt&&(ft.idx=I,Fh()),w!==!1&&Sn("setCursor")}let Is=null;Object.defineProperty(n,"rect",{get(){return Is==null&&Lo(!1),Is}});function Lo(_=!1){_?Is=null:(Is=g.getBoundingClientRect(),Sn("syncRect",Is))}function pd(_,w,P,I,k,Z,at){ut._lock||Rs&&_!=null&&_.movementX==0&&_.movementY==0||(Oh(_,w,P,I,k,Z,at,!1,_!=null),_!=null?Ks(null,!0,!0):Ks(w,!0,!1))}function Oh(_,w,P,I,k,Z,at,dt,yt){if(Is==null&&Lo(!1),Zt(_),_!=null)P=_.clientX-Is.left,I=_.clientY-Is.top;else{if(P<0||I<0){ke=-10,qe=-10;return}let[Nt,Dt]=an.scales,Ft=w.cursor.sync,[ee,Me]=Ft.values,[ve,ue]=Ft.scales,[$t,Wt]=an.match,Ve=w.axes[0].side%2==1,Ke=L.ori==0?O:Ct,bn=L.ori==1?O:Ct,Pe=Ve?Z:k,je=Ve?k:Z,jn=Ve?I:P,kn=Ve?P:I;if(ve!=null?P=$t(Nt,ve)?a(ee,M[Nt],Ke,0):-10:P=Ke*(jn/Pe),ue!=null?I=Wt(Dt,ue)?a(Me,M[Dt],bn,0):-10:I=bn*(kn/je),L.ori==1){let di=P;P=I,I=di}}yt&&(w==null||w.cursor.event.type==wf)&&((P<=1||P>=O-1)&&(P=dr(P,O)),(I<=1||I>=Ct-1)&&(I=dr(I,Ct))),dt?(ld=P,cd=I,[Tr,Ar]=ut.move(n,P,I)):(ke=P,qe=I)}let Bh={width:0,height:0,left:0,top:0};function kh(){Wa(Bh,!1)}let md,gd,xd,_d;function vd(_,w,P,I,k,Z,at){Rs=!0,yn=Mn=An._x=An._y=!1,Oh(_,w,P,I,k,Z,at,!0,!1),_!=null&&(_e(Tf,Pf,yd,!1),No(Ng,n,Tr,Ar,O,Ct,null));let{left:dt,top:yt,width:Nt,height:Dt}=ze;md=dt,gd=yt,xd=Nt,_d=Dt}function yd(_,w,P,I,k,Z,at){Rs=An._x=An._y=!1,Oh(_,w,P,I,k,Z,at,!1,!0);let{left:dt,top:yt,width:Nt,height:Dt}=ze,Ft=Nt>0||Dt>0,ee=md!=dt||gd!=yt||xd!=Nt||_d!=Dt;if(Ft&&ee&&Wa(ze),An.setScale&&Ft&&ee){let Me=dt,ve=Nt,ue=yt,$t=Dt;if(L.ori==1&&(Me=yt,ve=Dt,ue=dt,$t=Nt),yn&&Cs(A,Gi(Me,A),Gi(Me+ve,A)),Mn)for(let Wt in M){let Ve=M[Wt];Wt!=A&&Ve.from==null&&Ve.min!=Ue&&Cs(Wt,Gi(ue+$t,Wt),Gi(ue,Wt))}kh()}else ut.lock&&(ut._lock=!ut._lock,Ks(w,!0,_!=null));_!=null&&(un(Tf,Pf),No(Tf,n,ke,qe,O,Ct,null))}function Fx(_,w,P,I,k,Z,at){if(ut._lock)return;Zt(_);let dt=Rs;if(Rs){let yt=!0,Nt=!0,Dt=10,Ft,ee;L.ori==0?(Ft=yn,ee=Mn):(Ft=Mn,ee=yn),Ft&&ee&&(yt=ke<=Dt||ke>=O-Dt,Nt=qe<=Dt||qe>=Ct-Dt),Ft&&yt&&(ke=ke<Tr?0:O),ee&&Nt&&(qe=qe<Ar?0:Ct),Ks(null,!0,!0),Rs=!1}ke=-10,qe=-10,st.fill(null),Ks(null,!0,!0),dt&&(Rs=dt)}function Md(_,w,P,I,k,Z,at){ut._lock||(Zt(_),Co(),kh(),_!=null&&No(Fg,n,ke,qe,O,Ct,null))}function Sd(){y.forEach(kT),F(n.width,n.height,!0)}gr(vh,xo,Sd);let Cr={};Cr.mousedown=vd,Cr.mousemove=pd,Cr.mouseup=yd,Cr.dblclick=Md,Cr.setSeries=(_,w,P,I)=>{let k=an.match[2];P=k(n,w,P),P!=-1&&Vi(P,I,!0,!1)},mt&&(_e(Ng,g,vd),_e(wf,g,pd),_e(Dg,g,_=>{Zt(_),Lo(!1)}),_e(Ug,g,Fx),_e(Fg,g,Md),Bf.add(n),n.syncRect=Lo);let Xa=n.hooks=i.hooks||{};function Sn(_,w,P){Bn?Re.push([_,w,P]):_ in Xa&&Xa[_].forEach(I=>{I.call(null,n,w,P)})}(i.plugins||[]).forEach(_=>{for(let w in _.hooks)Xa[w]=(Xa[w]||[]).concat(_.hooks[w])});let bd=(_,w,P)=>P,an=hn({key:null,setSeries:!1,filters:{pub:Yg,sub:Yg},scales:[A,S[1]?S[1].scale:null],match:[$g,$g,bd],values:[null,null]},ut.sync);an.match.length==2&&an.match.push(bd),ut.sync=an;let wd=an.key,zh=W0(wd);function No(_,w,P,I,k,Z,at){an.filters.pub(_,w,P,I,k,Z,at)&&zh.pub(_,w,P,I,k,Z,at)}zh.sub(n);function Ox(_,w,P,I,k,Z,at){an.filters.sub(_,w,P,I,k,Z,at)&&Cr[_](null,w,P,I,k,Z,at)}n.pub=Ox;function Bx(){zh.unsub(n),Bf.delete(n),vn.clear(),Nf(vh,xo,Sd),c.remove(),Et?.remove(),Sn("destroy")}n.destroy=Bx;function Vh(){Sn("init",i,t),Ro(t||i.data,!1),G[A]?Nh(A,G[A]):Co(),it=ze.show&&(ze.width>0||ze.height>0),et=pt=!0,F(i.width,i.height)}return S.forEach(vr),y.forEach(is),e?e instanceof HTMLElement?(e.appendChild(c),Vh()):e(n,Vh):Vh(),n}Cn.assign=hn;Cn.fmtNum=Xf;Cn.rangeNum=yh;Cn.rangeLog=bh;Cn.rangeAsinh=Hf;Cn.orient=_r;Cn.pxRatio=be;Cn.join=Pw;Cn.fmtDate=Yf,Cn.tzDate=Vw;Cn.sync=W0;{Cn.addGap=bT,Cn.clipGaps=Ah;let i=Cn.paths={points:J0};i.linear=j0,i.stepped=AT,i.bars=ET,i.spline=CT}var zT={solid:[],dashed:[7,4],dotted:[1.5,3.5]};function Ts(i,t){let e=0,n=i.length;for(;e<n;){let s=e+n>>1;i[s]>t?n=s:e=s+1}return e}function ed(i,t,e){return i.sorted?[Math.max(0,Ts(i.x,t)-1),Math.min(i.x.length,Ts(i.x,e)+1)]:[0,i.x.length]}function ix(i){let{left:t,top:e,width:n,height:s}=i.bbox,{x:r,y:o}=i.scales,a=o.distr===3,l=a?Math.log10:d=>d,c=l(o.min),h=n/(r.max-r.min),u=s/(l(o.max)-c),f=d=>Math.min(1e5,Math.max(-1e5,d));return{pen:i.ctx,ratio:i.ctx.canvas.width/i.width,left:t,top:e,right:t+n,bottom:e+s,log:a,X:d=>f(t+(d-r.min)*h),Y:d=>a&&!(d>0)?NaN:f(e+s-(l(d)-c)*u),x:[r.min,r.max]}}function sx(i,t,e){let{pen:n,ratio:s}=i;n.save(),n.strokeStyle=e,n.fillStyle=e,n.lineWidth=1.6*s,n.lineJoin="round",n.setLineDash((t.pattern??zT[t.dash]??[]).map(l=>l*s));let[r,o]=ed(t,...i.x);({line:td,steps:VT,stems:GT,markers:nx,points:lx,"line-markers":(...l)=>{td(...l),nx(...l)}}[t.style]??td)(i,t,r,o),n.restore()}var nd=(i,t,e)=>e-t>3*(i.right-i.left);function td(i,t,e,n){if(nd(i,e,n))return ox(i,t,e,n);let{pen:s,X:r,Y:o}=i,a=new Set(ax(i,t,e,n)),l=[],c=[],h=!1,u=0,f=d=>{u===1&&c.push(d-1),h=!1,u=0};s.beginPath();for(let d=e;d<n;d++){let g=r(t.x[d]),v=o(t.y[d]);if((Number.isNaN(v)||t.breaks.has(d))&&f(d),Number.isNaN(v))continue;u+=1;let m=h&&a.has(d);m&&l.push(d),h&&!m?s.lineTo(g,v):s.moveTo(g,v),h=!0}f(n),s.stroke(),l.length>0&&rx(i,t,l),s.setLineDash([]);for(let d of c)ka(i,t.x[d],t.y[d],!0,1.6)}function rx(i,t,e){let{pen:n,X:s,Y:r,ratio:o}=i;n.save(),n.setLineDash([1.5*o,3*o]),n.lineWidth=1.2*o,n.globalAlpha=.75,n.beginPath();for(let l of e)n.moveTo(s(t.x[l]),r(t.y[l-1])),n.lineTo(s(t.x[l]),r(t.y[l]));n.stroke(),n.restore(),n.save(),n.setLineDash([]),n.lineWidth=1.3*o;let a=(l,c)=>l>=0&&c>=0&&l<t.x.length&&c<t.x.length&&t.x[l]===t.x[c];e.forEach((l,c)=>{let h=d=>d>=0&&d<e.length&&Math.abs(s(t.x[e[d]])-s(t.x[l]))<6*o&&!a(e[d],l);if(h(c-1)||h(c+1))return;let u=a(l-1,l-2),f=a(l,l+1)&&t.y[l+1]!==t.y[l];ka(i,t.x[l],t.y[l-1],u,3),ka(i,t.x[l],t.y[l],f||!u,3)}),n.restore()}function ka(i,t,e,n,s){let{pen:r,X:o,Y:a,ratio:l}=i,c=r.fillStyle;r.beginPath(),r.arc(o(t),a(e),s*l,0,2*Math.PI),n||(r.fillStyle=i.paper),r.fill(),r.fillStyle=c,r.stroke()}function ox(i,t,e,n){let{pen:s,X:r,Y:o,ratio:a}=i,l=ax(i,t,e,n),c=l.length*10*a<i.right-i.left?new Set(l):new Set,h=null,u=0,f=0,d=0,g=!1,v=()=>{h!==null&&(s.lineTo(h,u),s.lineTo(h,f),s.lineTo(h,d))};s.beginPath();for(let m=e;m<n;m++){let p=o(t.y[m]),S=Math.round(r(t.x[m])),y=Number.isNaN(p)||t.breaks.has(m)||c.has(m);if(y||S!==h){if(v(),h=null,y&&(g=!1),Number.isNaN(p))continue;g?s.lineTo(S,p):s.moveTo(S,p),h=S,u=f=d=p,g=!0}else u=Math.min(u,p),f=Math.max(f,p),d=p}v(),s.stroke(),c.size>0&&rx(i,t,l)}function ax(i,t,e,n){let s=[];if(!t.jumps||t.style==="steps")return s;for(let r=Math.max(1,e);r<n;r++)t.x[r]===t.x[r-1]&&Math.abs(i.Y(t.y[r])-i.Y(t.y[r-1]))>1.5*i.ratio&&s.push(r);return s}function VT(i,t,e,n){if(nd(i,e,n))return ox(i,t,e,n);let{pen:s,X:r,Y:o}=i,a=[],l=null;for(let h=e;h<n;h++){let u=o(t.y[h]);if((Number.isNaN(u)||t.breaks.has(h))&&(l=null),Number.isNaN(u))continue;let f=r(t.x[h]);l?l.push([f,l[l.length-1][1]]):a.push(l=[]),l.push([f,u])}s.beginPath();for(let h of a)h.forEach(([u,f],d)=>d===0?s.moveTo(u,f):s.lineTo(u,f));if(s.stroke(),!t.filled)return;s.globalAlpha=.14;let c=o(0);for(let h of a){s.beginPath(),s.moveTo(h[0][0],c);for(let[u,f]of h)s.lineTo(u,f);s.lineTo(h[h.length-1][0],c),s.fill()}}function GT(i,t,e,n){let{pen:s,X:r,Y:o,ratio:a}=i,l=i.log?i.bottom:o(0);s.setLineDash([]),s.beginPath();let c=!1;for(let h=e,u=-1/0;h<n;h++){let f=r(t.x[h]),d=o(t.y[h]);Number.isNaN(d)||(f-u<2*a&&u!==f&&(c=!0),u=f,s.moveTo(f,l),s.lineTo(f,d))}if(s.stroke(),!(c&&n-e>200))for(let h=e;h<n;h++)Number.isNaN(o(t.y[h]))||ka(i,t.x[h],t.y[h],!0,2.4)}function nx(i,t,e,n){if(i.pen.setLineDash([]),nd(i,e,n))return lx(i,t,e,n);for(let s=e;s<n;s++)Number.isNaN(i.Y(t.y[s]))||ka(i,t.x[s],t.y[s],!0,2.2)}function lx(i,t,e,n){let{pen:s,X:r,Y:o,ratio:a}=i,l=1.6*a;for(let c=e;c<n;c++){let h=o(t.y[c]);Number.isNaN(h)||s.fillRect(r(t.x[c])-l/2,h-l/2,l,l)}}function cx(i,t,e){let{pen:n,X:s,ratio:r}=i,o=[];for(let l of t){let c=Math.round(s(l));l>=i.x[0]&&l<=i.x[1]&&!(c-o[o.length-1]<4*r)&&o.push(c)}let a=o.length*r/(i.right-i.left);n.save(),n.strokeStyle=e,n.globalAlpha=a>.1?.2:.3,n.lineWidth=Math.max(1,Math.round(r)),n.beginPath();for(let l of o)n.moveTo(l+.5,i.top),n.lineTo(l+.5,i.bottom);n.stroke(),n.restore()}function hx(i,t,e,n){let{pen:s,X:r,Y:o,ratio:a}=i;s.save(),s.strokeStyle=e,s.fillStyle=e,s.lineWidth=a,s.font=n;for(let l of t){let c=l.vertical?r(l.value):o(l.value);if(!(l.vertical?c>=i.left&&c<=i.right:c>=i.top&&c<=i.bottom)||(s.setLineDash([5*a,3*a]),s.beginPath(),s.moveTo(l.vertical?c:i.left,l.vertical?i.top:c),s.lineTo(l.vertical?c:i.right,l.vertical?i.bottom:c),s.stroke(),!l.label))continue;s.textAlign=l.vertical?"left":"right";let u=l.vertical||c-i.top>16*a;s.textBaseline=l.vertical?"top":u?"bottom":"top",l.vertical?s.fillText(l.label,c+4*a,i.top+2*a):s.fillText(l.label,i.right-4*a,c+(u?-3:3)*a)}s.restore()}var id='system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif',za=()=>window.innerWidth<600?54:66,Ph=4;function To(i){let{host:t}=i,e=new Cn(HT(i),[[i.x[0],i.x[1]],[null,null]],t),n=()=>{let o=Math.floor(t.clientWidth);o>40&&(o!==e.width||i.height!==e.height)&&e.setSize({width:o,height:i.height})},s=new ResizeObserver(n);s.observe(t),JT(e,i);let r=[Gn(()=>e.redraw(!1,!0)),()=>s.disconnect(),()=>e.destroy()];return{plot:e,set(o,a){e.batch(()=>{e.setScale("x",{min:o[0],max:o[1]}),e.setScale("y",{min:a[0],max:a[1]})})},redraw:()=>e.redraw(!1,!1),dispose:()=>r.forEach(o=>o())}}function HT(i){let{host:t,names:e,log:n}=i,s=`12px ${id}`,r={stroke:()=>Ge().muted,font:s,ticks:{stroke:()=>Ge().faint,size:5},grid:{stroke:()=>Ge().faint,width:1}},o=a=>a?{label:a,labelFont:s,labelSize:20,labelGap:0}:{};return{width:Math.max(120,Math.floor(t.clientWidth)),height:i.height,padding:[10,14,i.xLabel?0:2,0],legend:{show:!1},cursor:{y:!!i.dragY,points:{show:!1},drag:{x:!0,y:!!i.dragY,setScale:!1,dist:Ph},bind:{dblclick:()=>()=>i.reset?.()}},scales:{x:{time:!1,auto:!1,min:i.x[0],max:i.x[1]},y:{auto:!1,min:i.y[0],max:i.y[1],distr:n?3:1}},axes:[{...r,...o(i.xLabel),size:28,space:64,gap:4,values:(a,l,c,h,u)=>_f(l,u)},{...r,...o(i.yLabel),size:i.gutter??za(),gap:6,...WT(i)}],series:[{},{paths:()=>null,points:{show:!1}}],hooks:{draw:[a=>$T(a,i)],setSelect:[a=>ZT(a,i)]}}}function WT({names:i,log:t,whole:e}){return i?{splits:s=>[...i.keys()].filter(r=>r>=s.scales.y.min&&r<=s.scales.y.max),values:(s,r)=>r.map(o=>XT(i.get(o)))}:t?{splits:qT,filter:(s,r)=>r,values:(s,r)=>r.map(YT)}:{...e?{incrs:[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,1e5,1e6,1e7,1e8,1e9]}:{},space:30,values:(s,r,o,a,l)=>_f(r,l)}}var XT=i=>i.length>12?`${i.slice(0,11)}…`:i;function qT(i){let{min:t,max:e}=i.scales.y,n=Math.log10(e/t),s=Math.max(1,Math.ceil(n/Math.max(2,(i.height-50)/26))),r=[];for(let o=Math.floor(Math.log10(t));o<=Math.log10(e);o++)for(let a of n<2?[1,2,5]:[1]){let l=+`${a}e${o}`;(o%s+s)%s===0&&l>=t&&l<=e&&r.push(l)}return r}function YT(i){let t=Math.floor(Math.log10(i)+1e-9),e=Math.round(i/10**t);return e===1?Ca(t):`${e}·${Ca(t)}`}function $T(i,t){let e={...ix(i),paper:Ge().paper};i.ctx.save(),i.ctx.beginPath(),i.ctx.rect(e.left-4,e.top-4,e.right-e.left+8,e.bottom-e.top+8),i.ctx.clip(),t.paint(e),i.ctx.restore()}function ZT(i,t){let{left:e,top:n,width:s,height:r}=i.select;if(s<=Ph&&r<=Ph)return;let o=[i.posToVal(e,"x"),i.posToVal(e+s,"x")],a=[i.posToVal(n+r,"y"),i.posToVal(n,"y")];i.setSelect({left:0,top:0,width:0,height:0},!1),t.select?.(...o,...a)}function JT(i,t){let e=null,n=D("div",{class:"cursor-tag",hidden:!0});t.cursorText&&i.over.append(n);let s=r=>{let o=i.over.getBoundingClientRect();return[i.posToVal(r.clientX-o.left,"x"),i.posToVal(r.clientY-o.top,"y")]};i.over.addEventListener("mousemove",r=>{let o=s(r);t.hover?.(...o),t.cursorText&&(n.hidden=!1,n.textContent=t.cursorText(o[0]),n.style.left=`${r.clientX-i.over.getBoundingClientRect().left}px`)}),i.over.addEventListener("mouseleave",()=>{n.hidden=!0,t.hover?.(null)}),i.over.addEventListener("mousedown",r=>{e=[r.clientX,r.clientY]}),i.over.addEventListener("click",r=>{e&&Math.hypot(r.clientX-e[0],r.clientY-e[1])>Ph||t.click?.(...s(r))}),i.over.addEventListener("wheel",r=>{!r.ctrlKey||!t.wheel||(r.preventDefault(),t.wheel(r.deltaY>0?1.25:.8,s(r)[0]))},{passive:!1}),i.root.querySelector("canvas").setAttribute("role","img")}function Ih(i,t,e){if(e){let r=Math.max(.08*Math.log10(t/i),.25);return[i/10**r,t*10**r]}let n=t-i,s=n>1e-12*Math.max(Math.abs(i),Math.abs(t))?.07*n:Math.max(Math.abs(i)*.1,1e-300);return i===0&&t===0?[-1,1]:[i-s,t+s]}async function ux(i,t,e){let[n,s]=await Promise.all([dn(i.x),dn(i.y)]),r=!0;for(let o=1;o<n.length;o++)n[o]<n[o-1]&&(r=!1);return{...i,x:n,y:s,sorted:r,record:e,visible:!0,whole:i.style==="steps"&&s.every(Number.isInteger),breaks:new Set(i.breaks??[]),filled:i.style==="steps"&&t.group==="reaction"&&!t.names&&!t.log}}function rd(i,t,e,n){let s=1/0,r=-1/0,o=a=>{!Number.isFinite(a)||n&&a<=0||(a<s&&(s=a),a>r&&(r=a))};for(let a of i){if(!a.visible)continue;let[l,c]=ed(a,t,e),h=["stems","markers","points"].includes(a.style);for(let u=l;u<c;u++)(!h||a.x[u]>=t&&a.x[u]<=e)&&o(a.y[u]);!n&&r>=s&&(a.style==="stems"||a.filled)&&o(0)}return r>=s?[s,r]:null}function fx(i,t,e){let{x:n,y:s,style:r}=i;if(!i.sorted||n.length===0)return null;if(r==="stems"||r==="markers"||r==="points")return KT(i,t,e);let o=Ts(n,t),a=i.jumps?jT(i,t,o,e):null;if(a)return{values:a};if(o===0||o===n.length&&t>n[o-1])return null;let l=o-1;return r==="steps"||o===n.length||n[o]===n[l]?sd(s[l]):i.breaks.has(o)?null:sd(s[l]+(t-n[l])/(n[o]-n[l])*(s[o]-s[l]))}var sd=i=>Number.isNaN(i)?null:{values:[i]};function KT(i,t,e){let n=Ts(i.x,t),s=null;for(let r of[n-1,n])r>=0&&r<i.x.length&&Math.abs(i.x[r]-t)<=e&&(s===null||Math.abs(i.x[r]-t)<Math.abs(i.x[s]-t))&&(s=r);return s===null?null:sd(i.y[s])}function jT(i,t,e,n){let{x:s,y:r}=i;for(let o of[e,e+1,e-1,e-2]){if(o<1||o>=s.length||s[o]!==s[o-1]||r[o]===r[o-1]||Math.abs(s[o]-t)>n)continue;let a=o-1,l=o;for(;a>0&&s[a-1]===s[o];)a--;for(;l+1<s.length&&s[l+1]===s[o];)l++;return Array.from(r.subarray(a,l+1)).filter((c,h,u)=>h===0||c!==u[h-1])}return null}function QT(i,t){let e={dashed:"7 4",dotted:"1.5 3.5"},n=i.pattern?i.pattern.join(" "):e[i.dash],s=["markers","points"].includes(i.style),r=[];return i.style==="stems"?r.push(En("path",{d:"M12 12V4",stroke:t,"stroke-width":1.6}),En("circle",{cx:12,cy:4,r:2.4,fill:t})):i.style==="steps"?r.push(En("path",{d:"M2 9H9V3H16V7H22",fill:"none",stroke:t,"stroke-width":1.6,"stroke-dasharray":n})):s||r.push(En("path",{d:"M1 6H23",stroke:t,"stroke-width":2,"stroke-dasharray":n})),(s||i.style==="line-markers")&&r.push(En("circle",{cx:12,cy:6,r:2.6,fill:t})),En("svg",{viewBox:"0 0 24 12",width:24,height:12,"aria-hidden":"true"},r)}function dx(i,t,e,n){let s=i.map(c=>{let h=D("span",{class:"value"},""),u=D("span",{class:"swatch"}),f=D("button",{type:"button",class:"series","aria-pressed":"true",title:"show or hide"},u,D("span",{class:"name"},c.label),h);return f.addEventListener("click",()=>{c.series.visible=!c.series.visible,f.setAttribute("aria-pressed",String(c.series.visible)),n()}),{entry:c,button:f,value:h,mark:u,text:""}}),r=()=>s.forEach(c=>c.mark.replaceChildren(QT(c.entry.series,c.entry.colour())));r();let o=c=>c?e?c.values.map(h=>e[h]??Se(h)).join(" → "):_i(c.values.map(h=>Se(h,4)).join(" → "),t):"–",a=c=>{for(let h of s){let u=h.entry.series.visible?o(c(h.entry.series)):"";u!==h.text&&(h.value.textContent=h.text=u)}},l=s.flatMap((c,h)=>{let u=c.entry.series.heading;return u&&u!==s[h-1]?.entry.series.heading?[D("span",{class:"legend-heading"},u),c.button]:[c.button]});return{element:D("div",{class:"legend"},l),show:a,paint:r}}var tA=4;function px(i,t,e,n){let{range:s,pointer:r,clock:o}=e,a=D("div",{class:"plot"}),l=D("div",{class:"clock-line"}),c=[i.note,nA(i)].filter(Boolean).join(" "),h=D("p",{class:"quiet",hidden:!c},c),u=D("h4",{},Ys(i.label),i.unit&&D("span",{class:"unit"},` ${i.unit}`),i.title&&D("span",{class:"of"},i.title)),f=i.series.map(x=>({series:x,label:Ys(x.name),colour:()=>i.colour(x)})),d=dx(f,i.unit,i.names,()=>{p(),y()}),g=D("div",{class:"panel"},u,D("div",{class:"panel-body"},a,d.element),h),v=()=>iA(i,t,s),m=null,p=()=>m?.set([s.low,s.high],v()),S=()=>{let x=o.t>=s.low&&o.t<=s.high;l.style.display=x?"":"none",x&&(l.style.transform=`translateX(${m.plot.valToPos(o.t,"x").toFixed(2)}px)`)},y=()=>{let x=r.t??o.t,E=m?tA*(s.high-s.low)/m.plot.over.clientWidth:0;d.show(z=>fx(z,x,r.t===null?Math.min(E,1e-9):E))},M=x=>m.plot.setCursor(x===null?{left:-10,top:-10}:{left:m.plot.valToPos(x,"x"),top:1},!1),R=[];return{element:g,start:()=>{m=To({host:a,height:eA(i,f.length),gutter:e.gutter(),x:[s.low,s.high],y:v(),log:i.log,names:i.names&&new Map(i.names.entries()),whole:i.series.every(x=>x.whole),xLabel:n?`t${e.timeUnit?` in ${e.timeUnit}`:""}`:"",paint:x=>sA(x,i),hover:x=>r.set(x),cursorText:x=>_i(po([s.low,s.high])(x),e.timeUnit),click:x=>o.seek(x),select:(x,E)=>s.set(x,E),reset:()=>s.reset(),wheel:(x,E)=>s.zoom(x,E)}),m.plot.over.append(l),m.plot.root.querySelector("canvas").setAttribute("aria-label",rA(i,s)),m.plot.hooks.setSize=[S],R.push(s.subscribe(()=>{p(),S(),y()}),r.subscribe(x=>{M(x),y()}),Gn(()=>d.paint()),()=>m.dispose()),S(),y()},tick:()=>{S()},read:y,refresh:p,dispose:()=>R.forEach(x=>x())}}var eA=(i,t)=>i.names?Math.max(110,46+24*i.names.length):Math.min(400,Math.max(200,22*t+90));function nA(i){if(!i.log)return"";let t=0;for(let e of i.series)for(let n of e.y)n<=0&&(t+=1);return t>0?`${es(t,"value")} of 0 ${t===1?"has":"have"} no place on the logarithmic axis.`:""}function iA(i,t,e){if(i.names)return[-.5,i.names.length-.5];let n=t.flatMap(r=>r.series),s=rd(n,e.low,e.high,i.log)??(i.log?[.1,1]:[0,1]);for(let r of i.rules){if(r.vertical||i.log&&!(r.value>0))continue;let o=Math.max(s[1]-s[0],1e-300);(i.log||r.value>s[0]-2*o&&r.value<s[1]+2*o)&&(s[0]=Math.min(s[0],r.value),s[1]=Math.max(s[1],r.value))}return Ih(s[0],s[1],i.log)}function sA(i,t){let e=Ge();for(let n of t.times)cx(i,n.at,n.colour());hx(i,t.rules,e.muted,`${11*i.ratio}px ${id}`);for(let n of t.series)n.visible&&sx(i,n,t.colour(n))}function rA(i,t){let e=rd(i.series,t.low,t.high,i.log),n=e?`, from ${ci(e[0],i.unit)} to ${ci(e[1],i.unit)}`:"";return`${i.label}: ${i.series.map(s=>s.name).join(", ")}${n}`}var od=[["motion","Motion"],["reaction","Reactions"],["energy","Energy"],["residual","Residual"],["other","Further quantities"]],mx=[null,[7,4],[1.5,3.5],[9,3,2,3],[14,4],[4,2],[12,3,2,3,2,3],[2,6]],oA=i=>[i.group,i.name,i.unit,i.log,(i.names??[]).join()].join(`
`);async function aA(i){let t=new Map;for(let[e,{panels:n}]of i.entries())for(let s of n??[]){let r=await Promise.all(s.series.map(a=>ux(a,s,e))),o=oA(s);t.has(o)||t.set(o,{group:s.group,panels:[]}),t.get(o).panels.push({...s,rules:s.rules??[],series:r,record:e})}return[...t.values()]}var gx=i=>Ge().palette[((i-1)%8+8)%8];function xx(i,t,e){for(let n of i.series)n.name=n.label||i.label,n.heading="",n.pattern=null;return{...i,times:[{at:Mf(t[i.record]),colour:()=>Ge().event}],title:e?t[i.record].label:"",colour:n=>gx(n.colour)}}function lA(i,t){if(i.panels.length===1&&t.length===1)return xx(i.panels[0],t,!1);let e=i.panels.flatMap(a=>a.series),n=i.panels.every(a=>a.series.length===1);for(let a of e){let l=t[a.record].label;a.name=n?l:a.label||i.panels[0].label,a.heading=n?"":l,a.pattern=a.record>0?mx[a.record%mx.length]:null}let s=i.panels.flatMap(a=>a.rules),r=s.filter((a,l)=>s.findIndex(c=>JSON.stringify(c)===JSON.stringify(a))===l),o=[...new Set(i.panels.map(a=>a.note).filter(Boolean))].join(" ");return{...i.panels[0],series:e,rules:r,note:o,times:i.panels.map(a=>({at:Mf(t[a.record]),colour:t[a.record].colour})),colour:a=>n?t[a.record].colour():gx(a.colour)}}function cA(i,t){let{range:e}=i,n=(a,l,c)=>D("button",{type:"button",class:"tool","aria-label":l,title:l,onclick:c},Di(a)),s=D("output",{class:"range","aria-live":"off"}),r=n("whole","Show the whole time",()=>e.reset()),o=()=>{let a=po([e.low,e.high]);s.textContent=`t = ${a(e.low)} … ${a(e.high)}${i.timeUnit?` ${i.timeUnit}`:""}`,r.disabled=e.whole()};return e.subscribe(o),o(),D("div",{class:"toolbar",role:"toolbar","aria-label":"Range of the time series"},t,s,n("left","Earlier",()=>e.pan(-.5)),n("right","Later",()=>e.pan(.5)),n("in","Zoom in",()=>e.zoom(.5,hA(i))),n("out","Zoom out",()=>e.zoom(2)),r)}function hA({clock:i,range:t}){return i.t>=t.low&&i.t<=t.high?i.t:void 0}function uA(i){return D("div",{class:"switch",role:"radiogroup","aria-label":"Records"},[["overlaid","Overlaid"],["beside","Side by side"]].map(([e,n],s)=>D("label",{},D("input",{type:"radio",name:"record-mode",value:e,checked:s===0,onchange:()=>i(e)}),D("span",{},n))))}function _x(i,t){let e=D("div",{class:"groups"}),n=[],s=[],r=new Map,o=f=>{n.forEach(d=>d.dispose()),n=[];for(let[d,g]of r){let v=s.filter(m=>(od.some(([p])=>p===m.group)?m.group:"other")===d);g.replaceChildren(...v.map((m,p)=>a(m,f,p===v.length-1)))}n.forEach(d=>d.start())},a=(f,d,g)=>{let v=d==="beside"?f.panels.map(p=>xx(p,i,!0)):[lA(f,i)],m=v.map(p=>px(p,v,t,g));return n.push(...m),D("div",{class:v.length>1?"row beside":"row"},m.map(p=>p.element))},l=i.length>1,c=D("div",{class:"section-head"},D("h2",{id:"series"},"Time series"),cA(t,l&&uA(o))),h=D("section",{class:"series","aria-labelledby":"series"},c,e,D("p",{class:"quiet hint"},"Drag to zoom, double-click for the whole time, Ctrl and wheel to zoom at the cursor, click to set the clock.")),u=aA(i).then(f=>{s=f,t.gutter=()=>fA(s);for(let[d,g]of od){if(!s.some(m=>m.group===d||d==="other"&&!od.some(([p])=>p===m.group)))continue;let v=D("div",{class:"rows"});r.set(d,v),e.append(D("section",{class:"group","aria-labelledby":`group-${d}`},D("h3",{id:`group-${d}`},g),v,D("div",{class:"after",id:`after-${d}`})))}o("overlaid")});return{element:h,ready:u,tick:()=>n.forEach(f=>f.tick()),read:()=>n.forEach(f=>f.read())}}function fA(i){let t=Math.max(0,...i.flatMap(e=>e.panels.flatMap(n=>(n.names??[]).map(s=>s.length))));return Math.min(window.innerWidth<600?84:104,Math.max(za(),24+6.5*Math.min(12,t)))}var dA=340,pA=40,vx=i=>i.unit?`${i.name} in ${i.unit}`:i.name;async function mA(i,t,e){let n=[];for(let s of i){let r=s.state?.columns??[],o=h=>r.find(u=>u.name===h);if(!o(t)||!o(e))continue;let[a,l,c]=await Promise.all([dn(s.state.t),dn(o(t).values),dn(o(e).values)]);n.push({record:s,t:a,x:l,y:c})}return n}function yx(i,t){let e=1/0,n=-1/0;for(let s of i)for(let r of s[t])r<e&&(e=r),r>n&&(n=r);return n>=e?Ih(e,n,!1):[0,1]}var gA=.4;function xA(i,t,e){let{pen:n,X:s,Y:r,ratio:o}=i,a=[];n.save(),n.strokeStyle=e,n.fillStyle=e,n.lineWidth=1.5*o,n.lineJoin="round",n.beginPath();let l=NaN,c=NaN;for(let h=0;h<t.t.length;h++){let u=s(t.x[h]),f=r(t.y[h]);if(h>0&&t.t[h]===t.t[h-1]&&Math.hypot(s(t.x[h-1])-u,r(t.y[h-1])-f)>o)n.lineTo(s(t.x[h-1]),r(t.y[h-1])),a.push(h),n.moveTo(u,f);else if(Number.isNaN(l))n.moveTo(u,f);else{if(Math.hypot(u-l,f-c)<gA*o&&h<t.t.length-1)continue;n.lineTo(u,f)}l=u,c=f}n.stroke(),n.setLineDash([1.5*o,3*o]),n.lineWidth=o,n.globalAlpha=.7,n.beginPath();for(let h of a)n.moveTo(s(t.x[h-1]),r(t.y[h-1])),n.lineTo(s(t.x[h]),r(t.y[h]));n.stroke(),n.restore()}function _A(i,t,e,n){let{pen:s,X:r,Y:o,ratio:a}=i,l=t.t.length-1;s.save(),s.lineWidth=2*a,s.strokeStyle=e,s.fillStyle=n,s.beginPath(),s.arc(r(t.x[0]),o(t.y[0]),5*a,0,2*Math.PI),s.fill(),s.stroke();let c=8*a;s.beginPath(),s.rect(r(t.x[l])-c/2,o(t.y[l])-c/2,c,c),s.fill(),s.stroke(),s.restore()}function vA(i,t){let e=Ts(i.t,t),n=Math.max(0,e-1);if(e===0||e===i.t.length)return[i.x[n],i.y[n]];let s=(t-i.t[n])/(i.t[e]-i.t[n]);return[i.x[n]+s*(i.x[e]-i.x[n]),i.y[n]+s*(i.y[e]-i.y[n])]}function yA(i,t,e,n){let s=null,r=1/0;for(let o of i)for(let a=0;a<o.t.length;a++){let l=Math.hypot(t.valToPos(o.x[a],"x")-t.valToPos(e,"x"),t.valToPos(o.y[a],"y")-t.valToPos(n,"y"));l<r&&([r,s]=[l,o.t[a]])}return r<40?s:null}function MA(i,t,e,n){let s=D("select",{},t.map(r=>D("option",{value:r,selected:r===e},r)));return s.addEventListener("change",()=>n(s.value)),D("label",{},`${i} `,s)}function SA(i,t,e,n){let s={x:e[0],y:e[1]},r=D("div",{class:"plot"}),o=D("output",{class:"quiet phase-read","aria-live":"off"}),a=(v,m)=>MA(m,t,s[v],p=>{s[v]=p,g()}),l=D("div",{class:"phase"},D("div",{class:"phase-head"},a("x","Across"),a("y","Up"),o),r),c=null,h=[],u=[],f=()=>{c&&h.forEach((v,m)=>{let[p,S]=vA(v,n.t);u[m].style.transform=`translate(${c.plot.valToPos(p,"x").toFixed(2)}px, ${c.plot.valToPos(S,"y").toFixed(2)}px)`})},d=()=>u.forEach((v,m)=>{v.style.background=h[m].record.colour()}),g=async()=>{let v=await mA(i,s.x,s.y);if(c?.dispose(),h=v,h.length===0)return;let m=()=>[yx(h,"x"),yx(h,"y")],p=A=>h[0].record.state.columns.find(x=>x.name===A),[S,y]=[p(s.x),p(s.y)],[M,R]=m();c=To({host:r,height:dA,x:M,y:R,dragY:!0,xLabel:vx(S),yLabel:vx(y),paint:A=>{for(let x of h)xA(A,x,x.record.colour());for(let x of h)_A(A,x,x.record.colour(),Ge().paper)},hover:(A,x)=>{o.textContent=A===null?"":`${_i(Se(A,4),S.unit)}, ${_i(Se(x,4),y.unit)}`},click:(A,x)=>{let E=yA(h,c.plot,A,x);E!==null&&n.seek(E)},select:(A,x,E,z)=>{c.set([A,x],[E,z]),f()},reset:()=>{c.set(...m()),f()}}),c.plot.root.querySelector("canvas").setAttribute("aria-label",`${s.y} over ${s.x}`),u=h.map(()=>D("div",{class:"phase-dot"})),c.plot.over.append(...u),c.plot.hooks.setSize=[f],d(),f()};return Gn(d),{element:l,build:g,tick:f}}async function bA(i){let t=[];for(let e of(i.state?.columns??[]).slice(0,pA)){let n=await dn(e.values);n.some(s=>s!==n[0])&&t.push(e.name)}return t}function wA(i){let t=r=>i.find(o=>o===`${r}'`||o===r.replace(/([^.]*)$/,"v$1")),e=[],n=i.find(r=>t(r));n&&e.push([n,t(n)]);let s=i.filter(r=>!r.endsWith("'"));return s.length>1&&e.push([s[0],s[1]]),e.length===0&&i.length>1&&e.push([i[0],i[1]]),e}function Mx(i,t){let e=[...new Set(i.flatMap(a=>(a.state?.columns??[]).map(l=>l.name)))];if(e.length<2)return null;let n=[],s=D("div",{class:"phase-grid"});return{element:D("section",{class:"phases","aria-labelledby":"phase"},D("h2",{id:"phase"},"Phase plots"),D("p",{class:"quiet"},"Ring: start. Square: end. Dot: now. Dotted: jumps."),s),ready:(async()=>{let a=await bA(i.find(l=>l.state?.columns?.length>1)??i[0]);n=wA(a.length>1?a:e).map(l=>SA(i,e,l,t)),s.append(...n.map(l=>l.element)),await Promise.all(n.map(l=>l.build()))})(),tick:()=>n.forEach(a=>a.tick())}}var TA=30;function bx(i,t){let{palette:e,muted:n}=Ge();return{proved:e[2],sampled:e[5],assumed:e[4],open:e[1]}[i]??e[t%8]??n}async function AA(i){let{t,t_end:e,proof:n,bound:s}=i.proofs,[r,o,a,l]=await Promise.all([dn(t),dn(e),dn(n),dn(s)]);return{record:i,from:r,to:o,kind:a,bound:l,labels:i.proofs.labels}}function EA(i,t,e){let{pen:n,X:s,Y:r}=i,o=r(-e+.38),a=r(-e-.38)-o,l=t.labels.map((c,h)=>h).sort((c,h)=>Sx(t.labels[h])-Sx(t.labels[c]));for(let c of l){n.fillStyle=bx(t.labels[c],c);for(let h=0;h<t.from.length;h++){if(t.kind[h]!==c||t.to[h]<i.x[0]||t.from[h]>i.x[1])continue;let u=s(t.from[h]),f=s(t.to[h])-u;n.fillRect(u,o,Math.max(1,f-(f>6*i.ratio?i.ratio:0)),a)}}}var Sx=i=>["open","assumed","sampled","proved"].indexOf(i);function RA(i){let t=[];for(let e of i)e.labels.forEach((n,s)=>{let r=0,o=0,a=NaN;for(let l=0;l<e.from.length;l++)e.kind[l]!==s||e.to[l]===e.from[l]||(r+=1,o+=e.to[l]-e.from[l],e.bound.length>l&&!(e.bound[l]<=a)&&!Number.isNaN(e.bound[l])&&(a=e.bound[l]));r>0&&t.push({proofs:e,label:n,k:s,arcs:r,time:o,worst:a})});return t}function wx(i,t){let e=D("span",{class:"chip"}),n=()=>e.style.setProperty("--chip",bx(i,t));return n(),Gn(n),e}function CA(i,t){let e=[t&&"record","proof","arcs","time","largest bound of the defect"].filter(Boolean),n=new Set(["arcs","time","largest bound of the defect"]);return D("div",{class:"table-wrap"},D("table",{},D("thead",{},D("tr",{},e.map(s=>D("th",{scope:"col",class:n.has(s)&&"number"},s)))),D("tbody",{},RA(i).map(s=>D("tr",{},t&&D("td",{},s.proofs.record.label),D("td",{},wx(s.label,s.k),s.label),D("td",{class:"number"},Se(s.arcs)),D("td",{class:"number"},ci(s.time,s.proofs.record.time_unit)),D("td",{class:"number"},Se(s.worst,3)))))))}function Tx(i,t){let e=i.filter(y=>y.proofs);if(e.length===0)return null;let{range:n,pointer:s,clock:r}=t,o=D("div",{class:"plot"}),a=D("div",{class:"clock-line"}),l=D("p",{class:"quiet proof-read"}),c=D("div",{}),h=e[0].proofs.labels,u=D("div",{class:"legend key"},h.map((y,M)=>D("span",{},wx(y,M),y))),f=D("section",{class:"proofs","aria-labelledby":"proofs"},D("h2",{id:"proofs"},"Proofs of the arcs"),D("div",{class:"panel"},D("div",{class:"panel-body"},o,u)),l,c),d=null,g=[],v=()=>{d&&(a.style.display=r.t>=n.low&&r.t<=n.high?"":"none",a.style.transform=`translateX(${d.plot.valToPos(r.t,"x").toFixed(2)}px)`)},m=(y,M)=>{let R=Ts(y.from,M)-1;if(R<0||M>y.to[R])return"";let A=y.bound[R],x=y.labels[y.kind[R]]??"";return`${e.length>1?`${y.record.label}: `:""}arc ${R+1} from ${Se(y.from[R],6)} to ${ci(y.to[R],y.record.time_unit,6)}: ${x}${Number.isFinite(A)?`, defect at most ${Se(A,3)}`:""}`},p=()=>{l.textContent=g.map(y=>m(y,s.t??r.t)).filter(Boolean).join(" · ")||" "},S=Promise.all([Promise.all(e.map(AA)),t.opened]).then(([y])=>{g=y;let M=g.length,R=g.map(A=>M>1?A.record.label:"arcs");d=To({host:o,height:44+TA*M,gutter:t.gutter(),x:[n.low,n.high],y:[-M+.5,.5],paint:A=>g.forEach((x,E)=>EA(A,x,E)),names:new Map(R.map((A,x)=>[-x,A])),hover:A=>s.set(A),click:A=>r.seek(A),select:(A,x)=>n.set(A,x),reset:()=>n.reset(),wheel:(A,x)=>n.zoom(A,x)}),d.plot.root.querySelector("canvas").setAttribute("aria-label","what is proved of each arc, over time"),d.plot.over.append(a),d.plot.hooks.setSize=[v],n.subscribe(()=>{d.set([n.low,n.high],[-M+.5,.5]),v()}),s.subscribe(A=>{d.plot.setCursor(A===null?{left:-10,top:-10}:{left:d.plot.valToPos(A,"x"),top:1},!1),p()}),c.append(CA(g,e.length>1)),v(),p()});return{element:f,ready:S,tick:v,read:p}}var PA=100;function IA(i){let t=i.map(e=>e.title||e.name);return i.map((e,n)=>{let s=t.filter(o=>o===t[n]).length===1,r=[0,1,2,3,4,5,6,7];return{...e,label:s?t[n]:e.name||`record ${n+1}`,colour:()=>Ge().palette[r[n%8]]}})}function LA(i){let t=i.map(e=>e.span).filter(e=>e&&Number.isFinite(e[0])&&Number.isFinite(e[1]));return t.length>0?[Math.min(...t.map(e=>e[0])),Math.max(...t.map(e=>e[1]))]:[0,1]}function Va(i,t){let e=n=>D("p",{class:"failed",role:"alert"},`${i}: ${n?.message??n}`);try{let n=t();return n?.ready?.catch(s=>n.element.append(e(s))),n}catch(n){return{element:e(n)}}}function NA(i){let t=Ad(),e=IA(t.records),n=new Qs(LA(e)),s=e[0]?.time_unit??"",r={clock:n,range:new dh(n.span),pointer:new ph,timeUnit:s,gutter:za},o=Tg(e),a=Eg(),l=D("div",{class:"stage"}),c=og(e,n,l),h=c.empty&&D("p",{class:"quiet"},"There is no moving picture of this: the notes below say why."),u=D("section",{class:"moving",id:"motion","aria-label":"Motion"},h||l),f=e.some(y=>y.panels?.length)?Va("time series",()=>_x(e,r)):null;r.opened=f?.ready?.catch(()=>{});let d={series:f,phase:Va("phase plots",()=>Mx(e,n)),proofs:Va("proofs",()=>Tx(e,r)),events:Va("events",()=>Cg(e,n))},g=Va("energy ledger",()=>{let y=mg(e);return y&&{element:D("section",{class:"ledger-section"},y)}}),v=Mg(e),m=Sg(e),p=[[d.series,"series","Time series"],[d.phase,"phase","Phase plots"],[d.proofs,"proofs","Proofs"],[d.events,"events","Events"],[v,"notes","Notes"],[m,"scene","Scene"]].filter(([y])=>y).map(([,y,M])=>[y,M]);i.append(...[gg(t,e,a.open),yg(e,n),u,Ag(e,n,o,s),xg(p),d.series?.element,g?.element,d.phase?.element,d.proofs?.element,d.events?.element,v,m,D("footer",{},`Written by thud ${t.thud_version??""}. Everything is in this file; it needs no network.`),a.element].filter(Boolean)),Rg(n,o,{help:a.open,theme:ja}),DA(n,c,Object.values(d).filter(Boolean)),(d.series?.ready??Promise.resolve()).then(()=>{let y=document.getElementById("after-energy");y&&g?.element&&y.append(g.element)})}function DA(i,t,e){let n=null,s=!0,r=0;i.subscribe((a,l)=>{l==="time"&&(s=!0)});let o=a=>{if(n!==null&&i.advance(Math.min(.1,(a-n)/1e3)),n=a,t.update(i.t,i.playing),s){let l=!i.playing||a-r>PA;for(let c of e)c.tick?.(),l&&c.read?.();l&&(r=a),s=!l}requestAnimationFrame(o)};requestAnimationFrame(o)}var Ax=document.getElementById("app");Nd();try{NA(Ax)}catch(i){Ax.append(D("p",{class:"failed",role:"alert"},`This page cannot be shown: ${i.message}`))}})();
